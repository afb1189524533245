/* One line per capture format; of two that are equally sure the first here wins. */
FORMAT(db_csv)
FORMAT(ibnetdiscover)
FORMAT(subnet_lst)
FORMAT(dump_fts)
FORMAT(opensm_lfts)
FORMAT(fdbs)
FORMAT(sl2vl_dump)
FORMAT(opensm_conf)
