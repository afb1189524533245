# Build, test and install ibaudit. `make V=1` shows the commands.
#   make            build/ibaudit
#   make check      unit tests, golden reports, live tests on ibsim + OpenSM
#   make unit       those that need no simulated fabric
#   make demo       a faulty simulated fabric, collected, audited, reported
#   make asan       make check under AddressSanitizer and UBSan
#   make fuzz       each parser for FUZZ_SECONDS (needs clang)
#   make bench      speed and memory, as ratios
#   make lint       cppcheck, clang-tidy, shellcheck
#   make install    PREFIX, DESTDIR

VERSION    := 0.1.0
BUILD      ?= build
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
MANDIR     ?= $(PREFIX)/share/man
DOCDIR     ?= $(PREFIX)/share/doc/ibaudit
PKG_CONFIG ?= pkg-config
PKGS       := sqlite3 libxml-2.0 libibumad libibmad libarchive jansson libxxhash
CFLAGS     ?= -O2 -g
FUZZ_SECONDS ?= 10
LINT_JOBS  ?= $(shell getconf _NPROCESSORS_ONLN)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wformat=2 -Wundef -Wpointer-arith -Wwrite-strings
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -I. -I$(BUILD) \
	     $(WARN) $(shell $(PKG_CONFIG) --cflags $(PKGS)) $(CFLAGS)
ALL_LIBS   = $(shell $(PKG_CONFIG) --libs $(PKGS)) -lm $(LDLIBS)

SRC   := $(wildcard cli/*.c collector/*.c collector/*/*.c store/*.c rules/*.c rules/*/*.c report/*.c)
OBJ   := $(SRC:%.c=$(BUILD)/%.o)
LIB   := $(BUILD)/libibaudit.a
PROG  := $(BUILD)/ibaudit
UNIT  := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
SUPPORT := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/support/*.c))
SCRIPTS := $(wildcard tests/test_*.sh)
LIVE  := $(wildcard tests/live/test_*.sh)

ifeq ($(V),1)
Q :=
else
Q := @
endif

all: $(PROG)

$(PROG): $(BUILD)/cli/main.o $(LIB)
	$(Q)echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(LIB): $(filter-out $(BUILD)/cli/main.o,$(OBJ))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c | $(BUILD)/schema.sql.h $(BUILD)/version.h
	$(Q)mkdir -p $(@D)
	$(Q)echo "  CC      $<"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/version.h: Makefile
	$(Q)mkdir -p $(@D)
	$(Q)echo '#define IBAUDIT_VERSION "$(VERSION)"' > $@

# Bytes, so there is no string-length limit and no quoting.
$(BUILD)/schema.sql.h: schema.sql
	$(Q)mkdir -p $(@D)
	$(Q){ echo 'static const char schema_sql[] = {'; od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g'; echo '0};'; } > $@

$(UNIT): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(SUPPORT) $(LIB)
	$(Q)echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell $(PKG_CONFIG) --libs cmocka) $(ALL_LIBS)

-include $(wildcard tests/tests.mk tests/fuzz/fuzz.mk)

check: $(PROG) $(UNIT) $(LIVE_NEEDS)
	$(Q)BUILD=$(BUILD) sh tests/run $(UNIT) $(SCRIPTS) tests/golden.sh $(LIVE)

unit: $(PROG) $(UNIT)
	$(Q)BUILD=$(BUILD) sh tests/run $(UNIT) $(SCRIPTS)

# A build of its own, so objects never mix.
asan:
	$(MAKE) check BUILD=$(BUILD)/asan LDFLAGS='-fsanitize=address,undefined' \
	  CFLAGS='-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined $(EXTRA_CFLAGS)'

# A short honest list of checks: .clang-tidy names them, every one is clean.
lint: $(BUILD)/schema.sql.h $(BUILD)/version.h
	cppcheck -j $(LINT_JOBS) --quiet --error-exitcode=1 --inline-suppr --std=c11 -I. -I$(BUILD) \
	  --enable=warning,portability --suppress=missingIncludeSystem cli collector store rules report
	printf '%s\n' $(SRC) | xargs -n 8 -P $(LINT_JOBS) sh -c \
	  'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- $(ALL_CFLAGS)' lint
	shellcheck -S warning -s sh bootstrap tests/run tests/*.sh tests/live/*.sh
	shellcheck .ci/run

install: all
	install -d $(DESTDIR)$(BINDIR)
	install -m 755 $(PROG) $(DESTDIR)$(BINDIR)/ibaudit
	install -d $(DESTDIR)$(MANDIR)/man1
	install -m 644 doc/*.1 $(DESTDIR)$(MANDIR)/man1/
	install -d $(DESTDIR)$(DOCDIR)
	install -m 644 README.md doc/*.md $(DESTDIR)$(DOCDIR)/

clean:
	rm -rf $(BUILD) demo

.PHONY: all check unit demo asan fuzz bench lint install clean
.DELETE_ON_ERROR:
.SECONDARY:
-include $(OBJ:.o=.d) $(UNIT:=.d) $(SUPPORT:.o=.d)
