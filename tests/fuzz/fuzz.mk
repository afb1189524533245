# make fuzz: every reader for FUZZ_SECONDS, two at a time; seeds are in
# samples/fuzz/NAME. What it finds stays in $(BUILD)/fuzz/found.
# make fuzz-NAME: one of them, with its corpus kept for the next time.

FUZZ_BUILD  := $(BUILD)/fuzz
FUZZ_NAMES  := detect archive $(shell sed -n 's/^FORMAT(\(.*\))/\1/p' collector/import/formats.h)
FUZZ_CFLAGS := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
	       -DFABRIC_CHUNK_SIZE=32768 -Wno-format-nonliteral
FUZZ_RUN    := -max_len=65536 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1

$(FUZZ_BUILD)/fuzz_import: tests/fuzz/fuzz_import.c $(SRC) $(wildcard */*.h */*/*.h)
	$(Q)$(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC=clang \
	  CFLAGS='$(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined' $(FUZZ_BUILD)/libibaudit.a
	$(Q)echo "  LD      $@"
	$(Q)clang $(ALL_CFLAGS) -I$(FUZZ_BUILD) $(FUZZ_CFLAGS) -fsanitize=fuzzer,address,undefined \
	  -o $@ $< $(FUZZ_BUILD)/libibaudit.a $(ALL_LIBS)

fuzz-%: $(FUZZ_BUILD)/fuzz_import
	$(Q)mkdir -p $(FUZZ_BUILD)/corpus/$* $(FUZZ_BUILD)/found samples/fuzz/$*
	$(Q)ln -sf fuzz_import $(FUZZ_BUILD)/fuzz_$*
	$(Q)$(FUZZ_BUILD)/fuzz_$* $(FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) \
	  -artifact_prefix=$(FUZZ_BUILD)/found/$*- $(FUZZ_BUILD)/corpus/$* samples/fuzz/$* \
	  >$(FUZZ_BUILD)/fuzz_$*.log 2>&1 && echo "ok - $* $$(sed -n 's|^stat::number_of_executed_units: *||p' $(FUZZ_BUILD)/fuzz_$*.log)" \
	  || { echo "not ok - $*"; tail -30 $(FUZZ_BUILD)/fuzz_$*.log; exit 1; }

fuzz: $(FUZZ_BUILD)/fuzz_import
	$(Q)printf '%s\n' $(FUZZ_NAMES) | xargs -P 2 -I NAME \
	  $(MAKE) --no-print-directory FUZZ_SECONDS=$(FUZZ_SECONDS) fuzz-NAME
