# What the tests on a simulated fabric need, and the targets that use one.

GEN_NET   := $(BUILD)/tests/gen_net
INTERPOSE := $(BUILD)/tests/libinterpose.so
ROOM      := $(BUILD)/tests/libroom.so
LIVE_NEEDS := $(GEN_NET) $(INTERPOSE) $(ROOM) $(BUILD)/tests/raw

# These stand outside what is tested: never under a sanitizer, so that they
# can be loaded into programs of the distribution.
TOOL_CFLAGS = -std=c11 -O2 -g $(WARN) $(filter -Werror,$(CFLAGS))

$(GEN_NET): tests/gen/gen_net.c
	$(Q)mkdir -p $(@D)
	$(Q)echo "  CC      $@"
	$(Q)$(CC) $(TOOL_CFLAGS) -D_POSIX_C_SOURCE=200809L -o $@ $<

$(INTERPOSE): tests/live/interpose.c tests/live/interpose_faults.c tests/live/interpose.h
	$(Q)mkdir -p $(@D)
	$(Q)echo "  CC      $@"
	$(Q)$(CC) $(TOOL_CFLAGS) -D_GNU_SOURCE -fPIC -shared -o $@ $(filter %.c,$^) -ldl -lpthread

$(ROOM): tests/live/room.c
	$(Q)mkdir -p $(@D)
	$(Q)echo "  CC      $@"
	$(Q)$(CC) $(TOOL_CFLAGS) -D_GNU_SOURCE -fPIC -shared -o $@ $< -ldl

# One live test: make live-NAME runs tests/live/test_NAME.sh; all: make live.
live-%: $(PROG) $(LIVE_NEEDS)
	$(Q)BUILD=$(BUILD) sh tests/live/test_$*.sh

live: $(PROG) $(LIVE_NEEDS)
	$(Q)BUILD=$(BUILD) sh tests/run $(LIVE)

# Ratios in one run. Each tests/bench/bench_*.sh prints its own part.
BENCH_NEEDS := $(BUILD)/tests/measure $(BUILD)/tests/store $(BUILD)/tests/growth

$(BUILD)/tests/raw: tests/bench/raw.c
	$(Q)mkdir -p $(@D)
	$(Q)echo "  CC      $@"
	$(Q)$(CC) $(TOOL_CFLAGS) -D_POSIX_C_SOURCE=200809L -o $@ $< -libumad

$(BUILD)/tests/measure: tests/bench/measure.c
	$(Q)mkdir -p $(@D)
	$(Q)echo "  CC      $@"
	$(Q)$(CC) $(TOOL_CFLAGS) -o $@ $<

$(BUILD)/tests/store: $(BUILD)/tests/bench/store.o $(LIB)
	$(Q)echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(BUILD)/tests/growth: $(BUILD)/tests/bench/growth.o $(BUILD)/tests/support/sample_files.o $(LIB)
	$(Q)echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell $(PKG_CONFIG) --libs cmocka) $(ALL_LIBS)

bench: $(PROG) $(LIVE_NEEDS) $(BENCH_NEEDS)
	$(Q)for script in tests/bench/bench_*.sh; do BUILD=$(BUILD) sh $$script || exit 1; done

demo: $(PROG) $(LIVE_NEEDS)
	$(Q)sh contrib/demo/demo.sh $(BUILD)

.PHONY: live
