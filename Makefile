# Lookback: attention from scratch, in C. `make help` lists the commands; what only maintainers run is in
# common/make/maintainers.mk. The tutor (common/tutor) does the work: make builds what it asks for.

# What is given by hand is text, even where it looks like make's own $(shell ...). Text goes to the shell in
# quotes.
GIVEN   := CC EXERCISE FORMAT FROM INTO LESSON LESSONS SANITIZE SECONDS STRICT UNITY WITH
by_hand  = $(filter command$2,$(firstword $(origin $1)))
$(foreach v,$(.VARIABLES),$(if $(call by_hand,$v,$(if $(filter $v,$(GIVEN)), environment)),\
    $(eval override $v := $$(value $v))$(eval export $v)))
unexport LESSONS
quoted   = '$(subst ','\'',$1)'

FROM    ?= lessons
FORMAT  ?= png
CC      ?= cc
# A lesson has a header. A lesson that is to be done has tests, too; in a release, earlier ones have the header alone.
folders  = $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard $1)))))
ALL     := $(call folders,lessons/[0-9]*-*/*.h)
CHOSEN  := $(LESSONS)
override LESSONS := $(filter $(call folders,tests/[0-9]*-*/test_*.c),$(ALL))
RELEASE := $(wildcard RELEASE)

# A folder elsewhere by its full path, so that what is made of it stays under build/.
$(if $(findstring ',$(FROM)),$(error FROM=$(FROM) has a quote in its name: rename or link it))
override FROM := $(patsubst %/,%,$(FROM))
ASKED_FROM := $(FROM)
ifneq ($(FROM),lessons)
override FROM := $(shell cd '$(FROM)' 2>/dev/null && case '$(FROM)' in (*..*) pwd ;; (*) echo '$(FROM)' ;; esac)
$(if $(FROM),,$(error FROM='$(ASKED_FROM)' is no folder of lessons))
endif
RESULTS := build/$(if $(filter-out lessons,$(FROM)),from/)$(FROM)
OBJECTS := build/obj-$(subst /,-,$(subst $() $(),-,$(CC)))$(if $(filter no,$(SANITIZE)),-plain)
CONFIG  := $(OBJECTS)/config.mk
UNITY_C := build/fetched/unity/unity.c
UNITY_S := $(UNITY_C) $(addprefix build/fetched/unity/,unity.h unity_internals.h)
FETCHED := build/fetched/unity/complete
TUTOR   := build/tutor
CLASS   := build/class
CALLS   := build/calls

# Where make writes. A folder that it may not write in is named before anything fails in it.
PLACES  := build build/*/ '$(OBJECTS)'/*/ '$(OBJECTS)'/*/*/ '$(OBJECTS)/yours/$(FROM)'/*/ '$(RESULTS)'/*/
BLOCKED := $(if $(filter-out help maintain,$(or $(MAKECMDGOALS),check)),$(shell \
    for place in $(if $(wildcard build),$(PLACES),.); do \
        [ -w "$$place" ] && [ -d "$$place" ] || [ ! -e "$$place" ] || { echo "$$place"; break; }; done))
$(if $(BLOCKED),$(error $(shell sh common/make/writable.sh $(call quoted,$(BLOCKED)))))

# The tutor is asked once which lessons are passed, which have to be looked at again, and which is the
# current one.
GOALS   := $(filter-out help maintain clean stubs format,$(or $(MAKECMDGOALS),check))
-include $(if $(GOALS),$(CONFIG))
-include $(if $(wildcard $(CONFIG)),$(if $(filter-out demo test,$(GOALS)),$(OBJECTS)/tutor.mk))
STATE   := $(if $(filter-out test,$(GOALS)),$(if $(wildcard $(TUTOR)),$(shell $(TUTOR) state '$(FROM)' '$(RESULTS)')))
is       = $(patsubst $1:%,%,$(filter $1:%,$(STATE)))
CURRENT := $(if $(STATE),$(call is,current),$(firstword $(LESSONS)))

# 3 or 03 -> 03-scaled, and its number back; the lessons before one; those of LESSON=, or all. Of the
# target hint-3: hint, and 03-scaled.
lesson   = $(filter $1-% 0$1-%,$(LESSONS))
number   = $(firstword $(subst -, ,$1))
before   = $(filter-out x,$(subst |, ,$(firstword $(subst |$1, ,x|$(subst $() $(),|,$(ALL))))))
name     = $(subst $() $(),_,$(wordlist 2,9,$(subst -, ,$1)))
NUMBERS := $(sort $(foreach l,$(LESSONS),$(call number,$l) $(patsubst 0%,%,$(call number,$l))))
ASKED   := $(if $(LESSON),$(foreach n,$(LESSON),$(call lesson,$n)),$(LESSONS))
verb     = $(call number,$@)
which    = $(call lesson,$(lastword $(subst -, ,$@)))

# What make builds; the learner's objects are the tutor's. What a lesson's tests, pictures, worked
# example and prompt are linked with, and the sources that go with a milestone.
object   = $(patsubst %.c,$(OBJECTS)/%.o,$(wildcard $1))
common   = $(foreach part,$1,$(call object,common/nn/$(part).c common/testing/$(part).c common/$(part).c))
SUPPORT := $(call common,columns gradcheck matrix product random room stack team threads todo work)
HARNESS := $(SUPPORT) $(call common,expect lesson_test memory observed relate statics test_table where) $(OBJECTS)/unity.o
RUNNER  := $(call common,slip_test)
PARTS   := base course explain check diagnose grade/box
TUTOR_C := $(filter-out %/sha256.c,$(wildcard $(addprefix common/,$(addsuffix /*.c,$(PARTS) tutor))))
CLASS_C := $(wildcard common/grade/class/*.c) common/nn/progress.c common/course/judged.c $(patsubst %,common/base/%.c,files json sha256 source text tokens utf8)
CALLS_C := common/grade/calls.c $(patsubst %,common/base/%.c,source text tokens)
# The references of the lessons before. In a release (common/grade/release.sh) make builds more of them: a lesson's
# own, for what is not done, and those that a milestone is linked with.
reference = $(foreach l,$2,$(OBJECTS)/$1/$l/$(call name,$l).o)
earlier  = $(call reference,solutions,$(call before,$1))
standing = $(if $(RELEASE),$(call reference,solutions,$1))
fast     = $(if $(RELEASE),$(if $(wildcard lessons/$1/milestone.c),$(call reference,fast,$(call before,$1))))
# For WITH=14, a later lesson that a milestone runs on, too.
with    := $(call lesson,$(WITH))
also     = $(if $(RELEASE),$(call reference,fast,$(with)))
tests    = $(call object,tests/$1/test_*.c) $(call earlier,$1) $(HARNESS)
drawn    = $(call object,plots/$1/*_data.c) $(SUPPORT)
shown    = $(call object,plots/$1/*_show.c) $(call common,shade) $(SUPPORT)
tried    = $(patsubst %,% $(call common,ask shade typed words) $(SUPPORT),$(call object,plots/$1/*_try.c))
# What a milestone is: one that can be tried has tasks, and models in files.
running  = $(foreach part,columns memory progress random room shade todo trainer typed,$(wildcard common/nn/$(part).c common/testing/$(part).c)) \
    $(if $(wildcard lessons/$1/milestone/try.c),$(wildcard common/nn/tasks/*.c))

INCLUDES := -Icommon -Icommon/nn -Icommon/testing $(addprefix -Ilessons/,$(ALL))
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter -Wno-nonnull $(ENUMS)
POSIX    := -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE
ERRORS   := $(addprefix -Werror=,return-type implicit-function-declaration incompatible-pointer-types int-conversion)
CFLAGS   := -std=c17 -g -O0 $(OMP) $(SANITIZERS) $(WARNINGS) $(INCLUDES)
# A NULL may stand for a mask. In a lesson what would only lead to a riddle is an error. Some tools take a
# header for the file that includes it, in newer forms of debug information than the fourth.
LESSON_C := $(CFLAGS) -gdwarf-4 -g1 -fno-optimize-sibling-calls $(UNSET) $(COUNT) $(ERRORS)
FAST_C   := -std=c17 $(FAST) $(POSIX) $(INCLUDES)
OURS_C   := $(CFLAGS) $(POSIX) -Ibuild/fetched/unity -DUNITY_INCLUDE_DOUBLE
# To watch over the end of each scope takes a third of the time of compiling a test.
SCOPES   := $(if $(findstring address,$(SANITIZERS)),-fno-sanitize-address-use-after-scope)
UNITY_CF := -w -DUNITY_OUTPUT_CHAR=report_character '-DUNITY_OUTPUT_CHAR_HEADER_DECLARATION=report_character(int)'
LDLIBS   := $(LINKER) -pthread -lm

# Code that is neither the learner's own nor ours runs in boxes, unless UNSAFE=1 trusts it.
OTHERS   := $(if $(filter-out .lessons .solutions,.$(subst $() $(),-,$(FROM))),$(if $(filter-out 0,$(UNSAFE)),,yes))
in_box    = $(if $(OTHERS),sh common/grade/in_box.sh $1)
UNBOXED   = $(if $(OTHERS),echo "This runs outside of boxes: add UNSAFE=1 if you trust the code." >&2; exit 2;)

# Scripts and compilers run in the C locale, so that numbers, sorting and messages are the same for everybody.
# A pager, a browser and a debugger are for a person and get that person's locale back; less shows UTF-8 in any.
export LOOKBACK_LC_ALL := $(value LC_ALL)
export LC_ALL := C
export LESSCHARSET ?= utf-8

# What the tutor and the scripts are told.
export CC SANITIZE FROM FORMAT
export LOOKBACK_FROM := $(FROM)
export LOOKBACK_OUT := $(RESULTS)
export LOOKBACK_OBJECTS := $(OBJECTS)
export LOOKBACK_TUTOR ?= $(TUTOR)
export LOOKBACK_LESSONS := $(LESSONS)
export LOOKBACK_INCLUDES := $(INCLUDES)
export LOOKBACK_LEAKS := $(LEAKS)
export LOOKBACK_ADDR2LINE := $(ADDR2LINE)
export LOOKBACK_CC := $(CC)
export LOOKBACK_LDLIBS := $(LDLIBS)
export LOOKBACK_CFLAGS := $(LESSON_C)
export LOOKBACK_FAST_CFLAGS := $(FAST_C)
export LOOKBACK_SLIP_CFLAGS := -std=c17 -O0 -w $(OMP) $(UNSET) $(INCLUDES) $(ALL_ERRORS) $(ERRORS)
export LOOKBACK_WARNING_CFLAGS := $(if $(OPTIMIZER_WARNS),-std=c17 -Og $(OMP) $(WARNINGS) $(INCLUDES))

.SUFFIXES:
.SECONDEXPANSION:
.SECONDARY:
.DELETE_ON_ERROR:
.PHONY: check maintain bench demo watch list hint hint-named read report grade plots clean help force finished renewed $(NUMBERS)

## make            check the lesson that you are on, and say what to do next
check: renewed $(if $(CURRENT),lesson-$(call number,$(CURRENT))-is-not-passed-yet,finished)
	@:
finished: $(TUTOR)
	@$(TUTOR) finished

## make 02         check lesson 02 (also: make 2)
$(NUMBERS): %: lesson-%-is-not-passed-yet
	@:
lesson-%-is-not-passed-yet: $(TUTOR) $(RUNNER) $$(call tests,$$(call lesson,$$*)) \
        $$(call standing,$$(call lesson,$$*)) force
	@$(call in_box,$(call lesson,$*)) $(TUTOR) check $(call lesson,$*) $(call tests,$(call lesson,$*))

# Commands of a lesson that is none.
COMMANDS := test hint read debug quiz show run try bench plot play solution reset
$(foreach g,$(filter $(foreach c,$(COMMANDS),$c-%),$(MAKECMDGOALS)),\
    $(if $(filter $g,bench-loop bench-grade)$(call lesson,$(lastword $(subst -, ,$g))),,\
        $(error There is no lesson for $g: the lessons are $(foreach l,$(LESSONS),$(call number,$l)))))

# Results of a file that has changed since, or of tests that have, are renewed before they are asked for.
record-%: $(TUTOR) $(RUNNER) $$(call tests,$$*) $$(call standing,$$*) force
	@$(call in_box,$*) $(TUTOR) record $* $(call tests,$*)
renewed: $(addprefix record-,$(call is,renew))
recorded = $(addprefix record-,$(filter $1,$(call is,record) $(call is,renew)))

## make demo       where this leads to: a head of attention learns before your eyes
demo: $(CONFIG)
	@sh common/make/demo.sh

## make watch      the same as make, again at each save
watch: $(TUTOR) $(foreach l,$(LESSONS),$$(call tests,$l))
	@sh common/make/watch.sh $(LESSONS)

## make hint       a hint for the lesson checked last; again: a stronger one;
##                 EXERCISE=entropy for another exercise, whatever lesson it is in
HINTED  := $(firstword $(call is,last) $(CURRENT))
hint: $(if $(EXERCISE),hint-named,$(if $(HINTED),hint-$(call number,$(HINTED)),finished))
	@:
hint-named: $(TUTOR)
	@sh common/make/hint.sh $(call quoted,$(EXERCISE))
hint-%: $$(call recorded,$$(which)) $(TUTOR) $(RUNNER) $$(call tests,$$(which)) $$(call standing,$$(which))
	@$(TUTOR) hint $(which) $(call quoted,$(or $(EXERCISE),-)) $(call tests,$(which))

## make read-02    the text of lesson 02, at the terminal; PAGE=1: in the browser
## make read       the syllabus
read: $(TUTOR)
	@sh common/make/read.sh lessons/README.md
read-%: $(TUTOR)
	@sh common/make/read.sh lessons/$(which)/README.md

## make debug-02   the debugger, in your function, at the first test that fails
debug-%: $(TUTOR) $$(call tests,$$(which))
	@sh common/make/debug.sh $(which) $(call tests,$(which))

## make test-02    the tests of lesson 02 alone, as plain Unity output
test-%: $(TUTOR) $$(call tests,$$(which))
	@$(call in_box,$(which)) $(TUTOR) test $(which) $(call tests,$(which))

## make quiz-02    questions about lesson 02, at the terminal
quiz-%: $(TUTOR)
	@$(TUTOR) quiz $(which)

## make show-02    the worked example of lesson 02, computed by your code
show-%: renewed $(TUTOR) $$(call shown,$$(which)) $$(call earlier,$$(which))
	@$(call in_box,$(which)) $(TUTOR) show $(which) $(call shown,$(which))

## make try-02     your own numbers through your own functions, at a prompt
## make try-07     type sentences and dates for what you have trained
try-%: renewed $$(call recorded,$$(which)) $(TUTOR) $$(call tried,$$(which)) \
        $$(call earlier,$$(which)) $$(call fast,$$(which))
	@$(TUTOR) $(if $(call tried,$(which)),try $(which) $(call tried,$(which)),milestone try $(which) $(call running,$(which)))

## make run-06     the milestone of lesson 06: a training run on your code; SEED=2
## make run-07     the same for lesson 07; QUICK=1: a short one
## make run-13 WITH=14  on the fast attention of lesson 14; bench-13: both ways
## make run-15     the same on several processes, with Open MPI; RANKS=4, HOSTS=a,b
run-%: renewed $$(call recorded,$$(which) $(with)) $(TUTOR) $$(call fast,$$(which)) $(also)
	@sh common/make/need.sh $(shell cat lessons/$(which)/milestone/needs 2>/dev/null)
	@$(TUTOR) milestone run $(which) $(call running,$(which))

## make bench-07   how fast it trains, and where the time goes
## make bench-14   attention beside OpenBLAS and PyTorch; T=4096 CAUSAL=1 THREADS=2
bench-%: renewed $$(call recorded,$$(which) $(with)) $(TUTOR) $$(call fast,$$(which)) $(also)
	@$(TUTOR) milestone bench $(which) $(call running,$(which))

## make bench      the machine, and what all benches measure on it, in one table
bench: $(TUTOR)
	@$(if $(RELEASE),echo "make bench is not in a release: it needs the whole course." >&2; exit 2,\
	    sh common/make/bench.sh $(if $(SECONDS),$(call quoted,SECONDS=$(SECONDS))))

## make plot-02    its pictures; FORMAT=png, svg, pdf, tex, ascii; WIDTH=column
## make plots      the pictures of every lesson that you have passed
plot-%: renewed $$(call recorded,$$(which)) $(TUTOR) $$(call drawn,$$(which)) $$(call earlier,$$(which)) \
        $$(call fast,$$(which)) | $$(filter run-$$*,$(MAKECMDGOALS))
	@sh common/make/need.sh gnuplot
	@$(if $(OTHERS),,$(TUTOR) milestone renew $(which) $(call running,$(which)))
	@$(call in_box,$(which)) sh common/make/plot.sh $(which) $(call drawn,$(which))
plots: $(foreach l,$(call is,passed),plot-$(call number,$l))
	@$(if $(call is,passed),:,echo "No lesson is passed yet: the pictures are drawn from your code.")

WEB    := clang wasm-ld llvm-strip llvm-dwarfdump wasi-libc libclang-rt-dev-wasm32
PLAYED = $(UNBOXED)$(if $(RELEASE),echo "A release has no pages to play." >&2; exit 2,sh common/make/need.sh $(WEB) && \
    sh common/web/play/play.sh)
## make play-02    a page for the browser in which your functions run
## make play       all of these
play: $(if $(RELEASE),,$(CALLS)) force
	@$(PLAYED)
play-%: $(if $(RELEASE),,$(CALLS)) force
	@$(PLAYED) $(which)

## make solution-02  your file beside the reference; or only EXERCISE=name
solution-%: $$(call recorded,$$(which)) $(TUTOR)
	@sh common/make/solution.sh $(which) $(call quoted,$(EXERCISE))

## make reset-02   the stub back, your file kept beside it; or only EXERCISE=name
reset-%: $(TUTOR)
	@sh common/make/reset.sh $(which) $(call quoted,$(EXERCISE))

## make list       all lessons and exercises, with their state
list: $$(call recorded,$(LESSONS)) $(TUTOR)
	@$(TUTOR) list

## make report     homework as HTML and PDF; NAME="..." LESSON=02 POINTS=file;
##                 PICTURES=no: without them, which is quicker
report: $$(call recorded,$(ASKED)) $(TUTOR)
	@$(if $(ASKED),:,echo $(call quoted,There is no lesson $(LESSON).) >&2; exit 2)
	@sh common/make/report.sh $(ASKED)
told-%: $(TUTOR) $(RUNNER) $$(call tests,$$*) $$(call standing,$$*) force
	@$(call in_box,$*) $(TUTOR) told $* $(call tests,$*)

## make grade      a whole class, each in a box: DIR=class LESSON=02 JOBS=4;
##                 README.md, "For a class", has the rest
grade: $(if $(RELEASE),,$(FETCHED) $(CLASS))
	@$(if $(RELEASE),echo "A release does not grade: the whole course does." >&2; exit 2;) \
	    $(foreach n,$(LESSON),$(if $(call lesson,$n),,echo $(call quoted,There is no lesson $n.) >&2; exit 2;)) \
	    sh common/make/grade.sh $(if $(LESSON),$(ASKED))

## make clean      delete everything made (not the fetched Unity)
clean:
	@rm -rf $(filter-out build/fetched,$(wildcard build/*))

## make help       this list; FROM=solutions (or any such folder): others' code
## make maintain   the commands of those who work on the course
help:
	@sed -n 's/^## //p' Makefile

# A word that is no command.
.DEFAULT:
	@echo $(call quoted,make knows no '$@'.)" $(if $(filter $@,$(COMMANDS)),Of which lesson? make $@-01. )make help lists" \
	    "the commands; the lessons are $(foreach l,$(LESSONS),$(call number,$l))." | fold -s -w 79 >&2; exit 2

# Building. Each file is written beside its place and moved there: two makes may build at once.
$(CONFIG): common/make/probe.sh | build/compile_flags.txt
	@mkdir -p $(@D)
	@sh common/make/probe.sh $@
$(OBJECTS)/flags: | $(CONFIG)
	@[ -e $@ ] || { cp $(CONFIG) $@.$$$$ && mv $@.$$$$ $@; }
# Written last: if a file is missing, or newer, something has happened to it.
$(FETCHED): $(UNITY_S) $(if $(UNITY)$(filter-out $(wildcard $(UNITY_S)),$(UNITY_S)),force)
	@sh common/make/unity.sh $(@D)
$(UNITY_S):
.PRECIOUS: $(FETCHED)
$(OBJECTS)/%.o: FLAGS = $(OURS_C)
$(OBJECTS)/solutions/%.o: FLAGS = $(LESSON_C)
$(OBJECTS)/tests/%.o: FLAGS = $(OURS_C) $(SCOPES)
# What every block of a lesson calls, and every cell of a matrix.
$(call common,work matrix expect product relate random team): FLAGS = $(OURS_C) -O1
$(OBJECTS)/fast/%.o: FLAGS = $(FAST_C)
UNSEAL = { echo '\#line 1 "$(<:sealed/%=%)"' && $(TUTOR) seal $<; } | \
    $(CC) $(FLAGS) -w -MMD -MP -MT $@ -MF $(@:.o=.d) -xc - -c -o $@.$$$$ && mv $@.$$$$ $@
$(OBJECTS)/solutions/%.o: sealed/solutions/%.c | $(TUTOR)
	@mkdir -p $(@D)
	@$(UNSEAL)
$(OBJECTS)/fast/%.o: sealed/solutions/%.c | $(TUTOR)
	@mkdir -p $(@D)
	@$(UNSEAL)
$(OBJECTS)/%.o: %.c $(OBJECTS)/flags | $(FETCHED)
	@[ -d $(@D) ] || mkdir -p $(@D); $(CC) $(FLAGS) $(STRICT) -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@.$$$$ && mv $@.$$$$ $@
$(OBJECTS)/unity.o: $(UNITY_C) $(OBJECTS)/flags | $(FETCHED)
	@mkdir -p $(@D)
	@$(CC) $(OURS_C) $(UNITY_CF) -c $< -o $@.$$$$ && mv $@.$$$$ $@
$(TUTOR): $(TUTOR_C) common/nn/seconds.h $(wildcard $(addprefix common/,$(addsuffix /*.h,$(PARTS) tutor))) | $(CONFIG)
	@mkdir -p $(@D)
	@$(CC) -std=c17 $(WARNINGS) -Wvla $(STRICT) $(POSIX) -Icommon -Icommon/nn $(TUTOR_C) -o $@.$$$$ -lm && mv $@.$$$$ $@
# An empty file that make reads: when it is made, make begins anew, and has a tutor to ask.
$(OBJECTS)/tutor.mk: $(TUTOR)
	@touch $@
$(CLASS): $(CLASS_C) common/nn/seconds.h $(wildcard common/grade/class/*.h common/base/*.h common/course/judged.h)
	@mkdir -p $(@D)
	@$(CC) -std=c17 $(WARNINGS) $(STRICT) $(POSIX) -D_XOPEN_SOURCE=700 -Icommon -Icommon/nn -O1 $(CLASS_C) -o $@.$$$$ -lm && mv $@.$$$$ $@
$(CALLS): $(CALLS_C) $(wildcard common/base/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=c17 $(WARNINGS) $(STRICT) $(POSIX) -Icommon $(CALLS_C) -o $@.$$$$ && mv $@.$$$$ $@
# For editors, see .clangd: it changes with the lessons.
build/compile_flags.txt: Makefile lessons
	@mkdir -p $(@D)
	@printf '%s\n' -xc -std=c17 $(OMP) $(WARNINGS) $(POSIX) -DUNITY_INCLUDE_DOUBLE -Ifetched/unity \
	    $(patsubst -I%,-I../%,$(INCLUDES)) >$@.$$$$ && mv $@.$$$$ $@

include $(wildcard common/make/maintainers.mk)
# What objects depend on; for make alone those of one lesson do.
DEPEND := common/* solutions/* $(if $(filter-out check,$(GOALS)),tests/* plots/*,$(addprefix tests/,$(CURRENT) $(call is,renew)))
-include $(if $(GOALS),$(wildcard $(DEPEND:%=$(OBJECTS)/%/*.d)))
