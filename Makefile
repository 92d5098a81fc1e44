# Lookback: attention from scratch, in C. `make help` lists the commands.

FROM   ?= lessons
FORMAT ?= png
CC     ?= cc

# A folder elsewhere by its full path, so that what is made of it stays under build/.
override FROM := $(patsubst %/,%,$(FROM))
ifneq ($(findstring ..,$(FROM)),)
override FROM := $(shell cd '$(FROM)' 2>/dev/null && pwd)
endif
ifneq ($(findstring ',$(FROM)),)
$(error FROM=$(FROM) has a quote in its name: rename or link it)
endif
ifneq ($(FROM),lessons)
ifneq ($(shell [ -d '$(FROM)' ] && echo yes),yes)
$(error FROM='$(FROM)' is no folder of lessons)
endif
endif

LESSONS := $(sort $(notdir $(patsubst %/,%,$(wildcard lessons/[0-9]*-*/))))
OUT     := build/$(if $(filter-out lessons,$(FROM)),from/)$(FROM)
OBJECTS := build/obj-$(subst /,-,$(subst $() $(),-,$(CC)))$(if $(filter no,$(SANITIZE)),-plain)
CONFIG  := $(OBJECTS)/config.mk
TUTOR   := build/tutor
UNITY_C := build/fetched/unity/unity.c

# The tutor is asked once which lessons are passed, which have to be looked at again, and which is the
# current one; `make test` and the like need no answer.
ifneq ($(filter-out help clean stubs format,$(or $(MAKECMDGOALS),check)),)
-include $(CONFIG)
endif
ifneq ($(filter-out help clean stubs format test,$(or $(MAKECMDGOALS),check)),)
STATE := $(if $(wildcard $(TUTOR)),$(shell $(TUTOR) state '$(FROM)' '$(OUT)'))
endif
is       = $(patsubst $1:%,%,$(filter $1:%,$(STATE)))
CURRENT := $(if $(STATE),$(call is,current),$(firstword $(LESSONS)))

# 3 or 03 -> 03-scaled; 02-dot-product -> 02 and dot_product; the lessons before one.
lesson   = $(filter $1-% 0$1-%,$(LESSONS))
number   = $(firstword $(subst -, ,$1))
name     = $(subst -,_,$(patsubst $(call number,$1)-%,%,$1))
before   = $(filter-out x,$(subst |, ,$(firstword $(subst |$1, ,x|$(subst $() $(),|,$(LESSONS))))))
NUMBERS := $(sort $(foreach l,$(LESSONS),$(call number,$l) $(patsubst 0%,%,$(call number,$l))))
# Those that are asked for by LESSON=, or all.
ASKED   := $(if $(LESSON),$(foreach n,$(LESSON),$(call lesson,$n)),$(LESSONS))

# Objects that make builds; the learner's are the tutor's. What a lesson's tests, worked example,
# pictures and trials are linked with, and the sources that go with a milestone.
object    = $(patsubst %.c,$(OBJECTS)/%.o,$1)
SUPPORT  := $(patsubst %,$(OBJECTS)/common/%.o,columns gradcheck matrix product random room todo work)
HARNESS  := $(SUPPORT) $(patsubst %,$(OBJECTS)/common/%.o,expect lesson_test relate statics test_table where) \
            $(OBJECTS)/unity.o
earlier   = $(foreach l,$(call before,$1),$(call object,solutions/$l/$(call name,$l).c))
tests     = $(call object,$(wildcard tests/$1/test_*.c)) $(call earlier,$1) $(HARNESS)
drawn     = $(call object,plots/$1/$(call name,$1)_data.c) $(SUPPORT)
shown     = $(call object,plots/$1/$(call name,$1)_show.c) $(SUPPORT) $(OBJECTS)/common/shade.o
tried     = $(call object,plots/$1/$(call name,$1)_try.c common/ask.c common/words.c common/shade.c) $(SUPPORT)
TRIABLE  := $(foreach l,$(LESSONS),$(if $(wildcard plots/$l/*_try.c),$(call number,$l) $(patsubst 0%,%,$(call number,$l))))
milestone = $(wildcard lessons/$1/milestone.c)
can       = $(if $(call milestone,$1),run) $(notdir $(basename $(wildcard lessons/$1/milestone/*.c)))
RUNNING  := $(patsubst %,common/%.c,columns progress random room shade todo)
TUTOR_C  := $(wildcard common/tutor/*.c) $(filter-out %/running.c,$(wildcard common/slips/*.c))
RUNNER   := $(call object,common/slips/running.c common/slips/evidence.c)

WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter
INCLUDES := -Icommon $(addprefix -Ilessons/,$(LESSONS))
# -O0 compiles in two thirds of the time; what only an optimizer warns of is asked for a file that fails.
CFLAGS   := -std=c17 -g -O0 $(SANITIZERS) $(WARNINGS) $(INCLUDES)
# What is an error in a lesson: where going on would only lead to a riddle.
LESSON_C := $(CFLAGS) -fno-optimize-sibling-calls $(UNSET) $(COUNT) \
            $(addprefix -Werror=,return-type implicit-function-declaration \
              incompatible-pointer-types int-conversion)
POSIX    := -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE
# A call may pass NULL where a lesson's header takes a mask.
OURS_C   := $(CFLAGS) -Wno-nonnull $(POSIX) -Ibuild/fetched/unity -DUNITY_INCLUDE_DOUBLE
UNITY_CF := -DUNITY_OUTPUT_CHAR=report_character \
            '-DUNITY_OUTPUT_CHAR_HEADER_DECLARATION=report_character(int)' -w
LDLIBS   := $(LINKER) -lm

# What the tutor and the scripts need to know.
export CC SANITIZE FROM FORMAT
export LOOKBACK_FROM := $(FROM)
export LOOKBACK_OUT := $(OUT)
export LOOKBACK_OBJECTS := $(OBJECTS)
export LOOKBACK_TUTOR ?= $(TUTOR)
export LOOKBACK_CC := $(CC)
export LOOKBACK_CFLAGS := $(LESSON_C)
export LOOKBACK_SLIP_CFLAGS := -std=c17 -O0 -w $(UNSET) $(INCLUDES) -Icommon/slips \
    $(if $(findstring clang,$(CC)),-ferror-limit=0,-fmax-errors=0) \
    -Werror=incompatible-pointer-types -Werror=int-conversion -Werror=implicit-function-declaration
export LOOKBACK_WARNING_CFLAGS := $(if $(OPTIMIZER_WARNS),-std=c17 -Og $(WARNINGS) $(INCLUDES))
export LOOKBACK_FAST_CFLAGS := -std=c17 $(FAST) -D_POSIX_C_SOURCE=200809L $(INCLUDES)
export LOOKBACK_LDLIBS := $(LDLIBS)
export LOOKBACK_LEAKS := $(LEAKS)
export LOOKBACK_LESSONS := $(LESSONS)
export LOOKBACK_INCLUDES := $(INCLUDES)

.SUFFIXES:
.SECONDEXPANSION:
.DELETE_ON_ERROR:
.PHONY: check demo read hint-named watch list hint report test plots slips mutants costs attempts stubs bench-loop times \
        pictures format clean help force finished all-objects

## make            check the lesson that you are on, and say what to do next
check: renewed $(if $(CURRENT),lesson-$(call number,$(CURRENT))-is-not-passed-yet,finished)
	@:
finished: $(TUTOR)
	@$(TUTOR) finished

## make 02         check lesson 02 (also: make 2)
## make test-02    its tests alone, as plain Unity output
# Of the target hint-02: hint, and 02-dot-product.
verb  = $(firstword $(subst -, ,$@))
which = $(call lesson,$(lastword $(subst -, ,$@)))
COMMANDS := test hint read debug quiz show run try bench plot solution reset
.PHONY: renewed $(NUMBERS)
$(foreach g,$(filter-out bench-loop,$(filter $(COMMANDS:%=%-%),$(MAKECMDGOALS))),$(if $(call lesson,$(lastword $(subst -, ,$g))),,\
    $(error There is no lesson for $g: the lessons are $(foreach l,$(LESSONS),$(call number,$l)))))
$(NUMBERS): %: lesson-%-is-not-passed-yet
	@:
lesson-%-is-not-passed-yet: $(TUTOR) $(RUNNER) $$(call tests,$$(call lesson,$$*)) force
	@$(TUTOR) check $(call lesson,$*) $(call tests,$(call lesson,$*))
test-%: $(TUTOR) $$(call tests,$$(which))
	@$(TUTOR) test $(which) $(call tests,$(which))

objects-%:
	@echo $(call tests,$*)

# Results of a file that has changed since, or of tests that have: before they are asked for.
OLD := $(call is,record)
record-%: $(TUTOR) $$(call tests,$$*) force
	@$(TUTOR) record $* $(call tests,$*)
renewed: $(addprefix record-,$(call is,renew))
recorded = $(addprefix record-,$(filter $1,$(OLD) $(call is,renew)))

## make demo       where this leads to: a head of attention learns before your eyes
demo: $(CONFIG)
	@sh common/make/demo.sh

## make watch      the same as make, again at each save
watch: $(TUTOR) $$(foreach l,$(LESSONS),$$(call tests,$$l))
	@sh common/make/watch.sh $(LESSONS)

## make hint       a hint for the exercise you are on; again: a stronger one;
##                 EXERCISE=entropy for another, whatever lesson it is in
hint: $(if $(EXERCISE),hint-named,$(if $(CURRENT),hint-$(call number,$(CURRENT)),finished))
	@:
hint-named: $(TUTOR)
	@sh common/make/hint.sh $(EXERCISE)
hint-%: $$(call recorded,$$(which)) $(TUTOR) $(RUNNER) \
                             $$(call tests,$$(which))
	@$(TUTOR) hint $(which) $(or $(EXERCISE),-) $(call tests,$(which))

## make read-02    the text of lesson 02, at the terminal; PAGE=1: in the browser
## make read       the syllabus
read: $(TUTOR)
	@sh common/make/read.sh lessons/README.md
read-%: $(TUTOR)
	@sh common/make/read.sh lessons/$(which)/README.md

## make debug-02   the debugger, in your function, at the first test that fails
debug-%: $(TUTOR) $$(call tests,$$(which))
	@sh common/make/debug.sh $(which) $(call tests,$(which))

## make quiz-02    questions about lesson 02, at the terminal
quiz-%: $(TUTOR)
	@mkdir -p '$(OUT)/$(which)'
	@$(TUTOR) quiz $(which)

## make show-02    the worked example of lesson 02, computed by your code
show-%: renewed $(TUTOR) $$(call shown,$$(which)) $$(call earlier,$$(which))
	@$(TUTOR) show $(which) $(call shown,$(which))

## make solution-02  your file beside the reference; or only EXERCISE=name
solution-%: $$(call recorded,$$(which)) $(TUTOR)
	@sh common/make/solution.sh $(which) $(EXERCISE)

## make reset-02   the stub back, your file kept beside it; or only EXERCISE=name
reset-%: $(TUTOR)
	@sh common/make/reset.sh $(which) $(EXERCISE)

## make run-06     the milestone of lesson 06: a training run on your code; SEED=2
## make run-07     the same for lesson 07; QUICK=1: a short one
## make try-02     your own numbers through your own functions, at a prompt
$(TRIABLE:%=try-%): try-%: renewed $(TUTOR) $$(call tried,$$(which)) $$(call earlier,$$(which))
	@$(TUTOR) try $(which) $(call tried,$(which))

## make try-07     type sentences and dates for what you have trained
## make bench-07   how fast it trains, and where the time goes
run-% try-% bench-%: renewed $$(call recorded,$$(which)) $(TUTOR)
	@$(if $(filter $(verb),$(call can,$(which))),$(TUTOR) passed $(which) "To $(verb) the milestone" && \
	    $(TUTOR) milestone $(verb) $(which) $(RUNNING),echo "Lesson $(call number,$(which)) has nothing to $(verb).")

## make plot-02    its pictures; FORMAT=png, svg, pdf, tex, ascii; WIDTH=column
## make plots      the pictures of every lesson that you have passed
plot-%: renewed $$(call recorded,$$(which)) $(TUTOR) $$(call drawn,$$(which)) \
                             $$(call earlier,$$(which)) | $$(filter run-$$*,$(MAKECMDGOALS))
	@sh common/make/need.sh gnuplot
	@$(if $(call milestone,$(which)),! $(TUTOR) passed $(which) 2>/dev/null || \
	    $(TUTOR) milestone renew $(which) $(RUNNING))
	@sh common/make/plot.sh $(which) $(call drawn,$(which))
plots: $(foreach l,$(call is,passed),plot-$(call number,$l))
	@$(if $(call is,passed),:,echo "No lesson is passed yet: the pictures are drawn from your code.")

## make list       all lessons and exercises, with their state
list: $$(call recorded,$(LESSONS)) $(TUTOR)
	@$(TUTOR) list

## make report     homework as HTML and PDF; NAME="..." LESSON=02 POINTS=file
report: $$(call recorded,$(ASKED)) $(TUTOR)
	@$(if $(ASKED),:,echo "There is no lesson $(LESSON)." >&2; exit 2)
	@sh common/make/report.sh $(ASKED)
told-%: $(TUTOR) $(RUNNER) $$(call tests,$$*) force
	@$(TUTOR) told $* $(call tests,$*)

## make test       prove that everything in this repository is right (maintainers)
test: $(UNITY_C)
	@sh common/make/need.sh gnuplot
	@sh common/make/need.sh -o pandoc weasyprint
	@sh common/make/prove.sh

## make slips      prove that every known slip is told in its own words; LESSON=02
## make mutants    prove that every generated slip is caught; LESSON=02
## make costs      what a first and a later failure of an exercise cost more
slips mutants costs: $(foreach l,$(ASKED),$$(call tests,$l)) $(TUTOR) $(RUNNER)
	@$(foreach l,$(ASKED),$(TUTOR) $@ $l $(call tests,$l) || failed=1;) [ ! "$$failed" ]

## make attempts   write what wrong attempts are told into tests/attempts
attempts: $(foreach l,$(ASKED),$$(call tests,$l)) $(TUTOR) $(RUNNER)
	@mkdir -p build/attempts
	@$(foreach l,$(ASKED),$(TUTOR) attempts $l tests/attempts/$l $(call tests,$l) >build/attempts/$l && \
	    cp build/attempts/$l tests/attempts/$l;)

## make stubs      write the stubs in lessons/ from the solutions (maintainers)
stubs:
	@sh common/make/stubs.sh write $(LESSONS)

## make bench-loop  what make costs, against compiling and running by hand
bench-loop: $(TUTOR) $$(call tests,$(firstword $(LESSONS)))
	@sh common/make/bench_loop.sh $(firstword $(LESSONS)) $(call tests,$(firstword $(LESSONS)))

## make times      measure the commands, for the README (maintainers)
times: $(UNITY_C)
	@sh common/make/times.sh

## make pictures   draw the pictures of the README again (maintainers)
pictures: $(TUTOR) $$(call tests,$(firstword $(LESSONS)))
	@sh common/make/pictures.sh

## make format     lay out the C files as .clang-format says (maintainers)
format:
	@clang-format -i common/*.[ch] common/*/*.[ch] solutions/*/*.c lessons/*/*.h \
	    lessons/*/milestone.c lessons/*/milestone/*.[ch] tests/*.h tests/*/*.[ch] plots/*/*.c

## make clean      delete everything made (not the fetched Unity)
clean:
	@rm -rf $(filter-out build/fetched,$(wildcard build/*))

## make help       this list; FROM=solutions (or any such folder): others' code
help:
	@sed -n 's/^## //p' Makefile

# A word that is no command.
.DEFAULT:
	@echo "make knows no '$@'. make help lists the commands; the lessons are" \
	    "$(foreach l,$(LESSONS),$(call number,$l))." >&2; exit 2

# Building. Each file is written beside its place and moved there: two makes may build at once.
$(CONFIG): common/make/probe.sh
	@mkdir -p $(@D)
	@sh common/make/probe.sh $@

# What editors need to know, which changes with the lessons; see .clangd.
build/compile_flags.txt: Makefile lessons
	@mkdir -p $(@D)
	@printf '%s\n' -xc -std=c17 $(WARNINGS) -Wno-nonnull $(POSIX) -DUNITY_INCLUDE_DOUBLE -Ifetched/unity \
	    $(patsubst -I%,-I../%,$(INCLUDES) -Icommon/slips -Icommon/tutor) >$@
$(CONFIG): | build/compile_flags.txt

$(UNITY_C): $(if $(UNITY),force)
	@sh common/make/unity.sh $(@D)

$(OBJECTS)/%.o: FLAGS = $(OURS_C)
$(OBJECTS)/solutions/%.o: FLAGS = $(LESSON_C)
$(OBJECTS)/%.o: %.c | $(UNITY_C)
	@mkdir -p $(@D)
	@$(CC) $(FLAGS) -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@.$$$$ && mv $@.$$$$ $@
$(OBJECTS)/unity.o: $(UNITY_C)
	@mkdir -p $(@D)
	@$(CC) $(OURS_C) $(UNITY_CF) -c $< -o $@.$$$$ && mv $@.$$$$ $@

$(TUTOR): $(TUTOR_C) $(wildcard common/tutor/*.h common/slips/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O1 -g $(WARNINGS) $(POSIX) $(TUTOR_C) -o $@.$$$$ && mv $@.$$$$ $@

# The tests of our own parts, and the tutor with sanitizers, for them.
TUTOR_O   := $(call object,$(filter-out %/tutor.c,$(TUTOR_C)))
OWN_TESTS := $(patsubst %,$(OBJECTS)/%,test_common failures test_tutor test_slips pty tutor-checked)
all-objects: $(TUTOR) $(RUNNER) $(OWN_TESTS) $(foreach l,$(LESSONS),$$(call tests,$l))
$(OBJECTS)/test_common $(OBJECTS)/failures: $(OBJECTS)/%: $(OBJECTS)/tests/common/%.o $(HARNESS)
$(OBJECTS)/test_tutor $(OBJECTS)/test_slips: $(OBJECTS)/%: $(OBJECTS)/tests/tutor/%.o $(TUTOR_O) $(HARNESS)
$(OBJECTS)/pty: $(OBJECTS)/tests/tutor/pty.o
$(OBJECTS)/tutor-checked: $(TUTOR_O) $(OBJECTS)/common/tutor/tutor.o
$(OWN_TESTS):
	@$(CC) $(CFLAGS) $^ -o $@ $(LDLIBS)

ifneq ($(MAKECMDGOALS),help)
-include $(wildcard $(patsubst %,$(OBJECTS)/%/*.d,common common/slips tests/* solutions/* plots/*))
endif
ifneq ($(filter all-objects,$(MAKECMDGOALS)),)
-include $(wildcard $(OBJECTS)/common/tutor/*.d)
endif
