# Lookback: attention from scratch, in C. `make help` lists the commands.

FROM   ?= lessons
FORMAT ?= png
CC     ?= cc

# A folder elsewhere by its full path, so that what is made of it stays under build/.
override FROM := $(patsubst %/,%,$(FROM))
override FROM := $(if $(findstring ..,$(FROM)),$(abspath $(FROM)),$(FROM))
ifneq ($(words $(FROM)) $(words $(wildcard $(FROM)/.)),1 1)
$(error FROM='$(FROM)' is no folder of lessons$(if $(word 2,$(FROM)),; one with a space in its name will not do))
endif
ifneq ($(strip $(foreach c,' " ( ) & ; % * ? $$ `,$(findstring $c,$(FROM)))),)
$(error FROM=$(FROM) has a letter in its name that shells and make read otherwise: rename or link it)
endif

LESSONS := $(sort $(notdir $(patsubst %/,%,$(wildcard lessons/[0-9]*-*/))))
number   = $(firstword $(subst -, ,$1))
name     = $(subst -,_,$(patsubst $(call number,$1)-%,%,$1))
source   = $(FROM)/$1/$(call name,$1).c

# Results of FROM=lessons lie in build/lessons; objects in a folder of their own per compiler.
OUT     := build/$(if $(filter lessons solutions,$(FROM)),,from/)$(FROM)
OBJECTS := build/obj-$(subst /,-,$(subst $() $(),-,$(CC)))$(if $(filter no,$(SANITIZE)),-plain)
CONFIG  := $(OBJECTS)/config.mk
TUTOR   := $(OBJECTS)/tutor
UNITY_C := build/fetched/unity/unity.c

ifneq ($(filter-out help clean stubs,$(or $(MAKECMDGOALS),check)),)
-include $(CONFIG)
endif

WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter
INCLUDES := -Icommon $(addprefix -Ilessons/,$(LESSONS))
# -O0 compiles in two thirds of the time; what only an optimizer warns of is asked for a file that fails.
CFLAGS   := -std=c17 -g -O0 $(SANITIZERS) $(WARNINGS) $(INCLUDES)
# What is an error in a lesson: where going on would only lead to a riddle.
LESSON_C := $(CFLAGS) -fno-optimize-sibling-calls $(UNSET) $(COUNT) \
            $(addprefix -Werror=,return-type implicit-function-declaration \
              incompatible-pointer-types int-conversion)
# A call may pass NULL where a lesson's header takes a mask.
OURS_C   := $(CFLAGS) -Wno-nonnull -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE -Ibuild/fetched/unity \
            -DUNITY_INCLUDE_DOUBLE -MMD -MP
UNITY_C_FLAGS := -DUNITY_OUTPUT_CHAR=report_character \
            '-DUNITY_OUTPUT_CHAR_HEADER_DECLARATION=report_character(int)' -w
LDLIBS   := $(LINKER) -lm

object   = $(patsubst %.c,$(OBJECTS)/%.o,$1)
SUPPORT := $(foreach f,columns gradcheck matrix product random todo work,\
             $(call object,common/$f.c))
HARNESS := $(SUPPORT) $(foreach f,expect lesson_test relate where,$(call object,common/$f.c)) \
           $(OBJECTS)/unity.o
RUNNING := $(foreach f,columns progress random shade todo,common/$f.c)
TUTOR_C := $(wildcard common/tutor/*.c) $(filter-out %/running.c,$(wildcard common/slips/*.c))
RUNNER  := $(call object,common/slips/running.c common/slips/evidence.c)

# What the tutor and the scripts need to know.
export CC SANITIZE FROM FORMAT
export LOOKBACK_FROM := $(FROM)
export LOOKBACK_OUT := $(OUT)
export LOOKBACK_OBJECTS := $(OBJECTS)
export LOOKBACK_CC := $(CC)
export LOOKBACK_CFLAGS := $(LESSON_C)
export LOOKBACK_SLIP_CFLAGS := -std=c17 -O0 -w $(UNSET) $(INCLUDES) -Icommon/slips \
    $(if $(findstring clang,$(CC)),-ferror-limit=0,-fmax-errors=0) \
    -Werror=incompatible-pointer-types -Werror=int-conversion -Werror=implicit-function-declaration
export LOOKBACK_WARNING_CFLAGS := $(if $(OPTIMIZER_WARNS),-std=c17 -Og $(WARNINGS) $(INCLUDES))
export LOOKBACK_LDLIBS := $(LDLIBS)
export LOOKBACK_FAST := $(FAST)
export LOOKBACK_LEAKS := $(LEAKS)
export LOOKBACK_LESSONS := $(LESSONS)
export LOOKBACK_INCLUDES := $(INCLUDES)

# Whose results are of this very file, told by its time, which may be older than theirs; and which of
# these lessons are passed.
ifneq ($(filter-out help clean stubs test,$(or $(MAKECMDGOALS),check)),)
KNOWN := $(shell $(foreach l,$(LESSONS),[ -f $(call source,$l) ] && [ -f $(OUT)/$l/of ] && \
            ! [ $(call source,$l) -nt $(OUT)/$l/of ] && ! [ $(call source,$l) -ot $(OUT)/$l/of ] && \
            echo $l && [ -f $(OUT)/$l/passed ] && echo $l:passed;) :)
PASSED := $(patsubst %:passed,%,$(filter %:passed,$(KNOWN)))
CURRENT := $(firstword $(filter-out $(PASSED),$(LESSONS)))
endif

.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: check watch list hint report test plots slips mutants costs attempts stubs bench-loop times pictures format clean help force

## make            check the lesson that you are on, and say what to do next
check: $(TUTOR) $($(CURRENT)_TESTS)
check: $(if $(CURRENT),lesson-$(call number,$(CURRENT))-is-not-passed-yet,finished)
	@:

.PHONY: finished
finished: $(TUTOR)
	@$(TUTOR) finished

# One lesson: 01-softmax is checked by `make 01` or `make 1`, and drawn by `make plot-01` or plot-1.
# EARLIER grows from lesson to lesson.
ABOUT := test plot hint quiz show run try bench solution reset
define lesson
$1_TESTS := $$(call object,tests/$1/test_$(call name,$1).c) $$(EARLIER) $$(HARNESS)
$1_PLOTS := $$(call object,plots/$1/$(call name,$1)_data.c) $$(call object,$(call source,$1)) \
            $$(call object,$$(YOURS)) $$(SUPPORT)
$1_SHOW  := $$(call object,plots/$1/$(call name,$1)_show.c) $$(call object,$(call source,$1)) \
            $$(call object,$$(YOURS)) $$(SUPPORT) $$(call object,common/shade.c)
$1_GIVEN := $(wildcard lessons/$1/milestone.c lessons/$1/milestone/*.c)
$1_CAN   := $$(if $$($1_GIVEN),run) $$(notdir $$($1_GIVEN:.c=))
$1_RUN   := $$(if $$($1_GIVEN),$$($1_GIVEN) $(call source,$1) $$(YOURS) $(RUNNING))
EARLIER  += $$(call object,solutions/$1/$(call name,$1).c)
YOURS    += $$(if $$(filter $1,$$(PASSED)),$(FROM),solutions)/$1/$(call name,$1).c

.PHONY: lesson-$(call number,$1)-is-not-passed-yet $(call number,$1) $(patsubst 0%,%,$(call number,$1)) \
        $(foreach n,$(call number,$1) $(patsubst 0%,%,$(call number,$1)),$(ABOUT:%=%-$n)) objects-$1
$(sort $(call number,$1) $(patsubst 0%,%,$(call number,$1))): lesson-$(call number,$1)-is-not-passed-yet
	@:
lesson-$(call number,$1)-is-not-passed-yet: $$(TUTOR) $$($1_TESTS) $$(RUNNER)
	@$$(TUTOR) check $1 $$($1_TESTS)
test-$(call number,$1): $$(OBJECTS)/$(FROM)/$1/plain-test
	@$$<
$$(OBJECTS)/$(FROM)/$1/plain-test: $$(call object,$(call source,$1)) $$($1_TESTS)
	@$$(CC) $$(CFLAGS) $$^ -o $$@ $$(LDLIBS)
$(OUT)/$1/results: $(wildcard $(call source,$1)) $$(TUTOR) $$($1_TESTS) $(if $(filter $1,$(KNOWN)),,force)
	@$$(TUTOR) record $1 $$($1_TESTS)
objects-$1:
	@echo $$($1_TESTS)
plot-$(call number,$1): $(OUT)/$1/results $$($1_PLOTS) | $(filter run-$(call number,$1),$(MAKECMDGOALS))
	@$$(TUTOR) passed $1
	@sh common/make/need.sh gnuplot
	@$$(if $$($1_RUN),sh common/make/run.sh renew $1 "$$(PASSED)" $$($1_RUN))
	@sh common/make/plot.sh $1 "$$(PASSED)" $$($1_PLOTS)
$(foreach c,run try bench,
$c-$(call number,$1): $$(if $$(filter $c,$$($1_CAN)),$(OUT)/$1/results)
)
$(foreach c,run try bench,$c-$(call number,$1)): %-$(call number,$1):
	@$$(if $$(filter $$*,$$($1_CAN)),,echo "Lesson $(call number,$1) has nothing to $$*." >&2; exit 2)
	@$$(TUTOR) passed $1
	@sh common/make/run.sh $$* $1 "$$(PASSED)" $$($1_RUN)
hint-$(call number,$1): $(OUT)/$1/results $$(RUNNER)
	@$$(TUTOR) hint $1 $$(or $$(EXERCISE),-) $$($1_TESTS)
quiz-$(call number,$1): $$(TUTOR)
	@mkdir -p $(OUT)/$1
	@$$(TUTOR) quiz $1
show-$(call number,$1): $(if $(wildcard $(call source,$1)),$$($1_SHOW))
	@$(if $(wildcard $(call source,$1)),:,echo "$(call source,$1) is not there." >&2; exit 2)
	@sh common/make/show.sh $1 $$^
solution-$(call number,$1): $(OUT)/$1/results
	@sh common/make/solution.sh $1
reset-$(call number,$1): $$(TUTOR)
	@sh common/make/reset.sh $1 $$(EXERCISE)
$(if $(filter 0%,$1),$(ABOUT:%=%-$(patsubst 0%,%,$(call number,$1))): %-$(patsubst 0%,%,$(call number,$1)): %-$(call number,$1))
endef
EARLIER :=
YOURS :=
$(foreach l,$(LESSONS),$(eval $(call lesson,$l)))

## make 02         check lesson 02 (also: make 2)
## make watch      the same as make, again at each save
watch: $(TUTOR) $(foreach l,$(LESSONS),$($l_TESTS))
	@sh common/make/watch.sh $(foreach l,$(LESSONS),$(call source,$l))

## make hint       a hint for the exercise you are on; again: a stronger one
hint: $(if $(CURRENT),hint-$(call number,$(CURRENT)),finished)
	@:

## make quiz-02    questions about lesson 02, at the terminal
## make show-02    the worked example of lesson 02, computed by your code
## make solution-02  your file beside the reference
## make reset-02   the stub back, your file kept beside it; or only EXERCISE=name
## make run-06     the milestone of lesson 06: a training run on your code; SEED=2
## make run-07     the same for lesson 07; QUICK=1: a short one
## make try-07     type sentences and dates for what you have trained
## make bench-07   how fast it trains, and where the time goes
## make list       all lessons and exercises, with their state
list: $(TUTOR) $(foreach l,$(LESSONS),$(OUT)/$l/results)
	@$(TUTOR) list

## make plot-02    its pictures, from your code; FORMAT=png, svg, pdf, tex, ascii
## make plots      the pictures of every lesson that you have passed
plots: $(foreach l,$(PASSED),plot-$(call number,$l))
	@$(if $(PASSED),:,echo "No lesson is passed yet: the pictures are drawn from your code.")

## make report     homework report as HTML and PDF; NAME="..." LESSON=02
REPORTED := $(if $(LESSON),$(filter $(LESSON)-% 0$(LESSON)-%,$(LESSONS)),$(LESSONS))
report: $(TUTOR) $(foreach l,$(REPORTED),$(OUT)/$l/results)
	@$(if $(REPORTED),:,echo "There is no lesson $(LESSON)." >&2; exit 2)
	@sh common/make/report.sh $(REPORTED)

## make test-02    the tests of lesson 02 alone, as plain Unity output
## make test       prove that everything in this repository is right (maintainers)
test: $(UNITY_C)
	@sh common/make/need.sh gnuplot
	@sh common/make/need.sh -o pandoc weasyprint
	@sh common/make/prove.sh

## make slips      prove that every known slip is told in its own words; LESSON=02
## make mutants    prove that every generated slip is caught; LESSON=02
## make costs      what a first and a later failure of an exercise cost more
slips mutants costs: $(TUTOR) $(RUNNER) $(foreach l,$(LESSONS),$($l_TESTS))
	@$(foreach l,$(if $(LESSON),$(filter $(LESSON)-% 0$(LESSON)-%,$(LESSONS)),$(LESSONS)),\
	    $(TUTOR) $@ $l $($l_TESTS) || failed=1;) [ ! "$$failed" ]

## make attempts   write what wrong attempts are told into tests/attempts
attempts: $(TUTOR) $(RUNNER) $(foreach l,$(LESSONS),$($l_TESTS))
	@mkdir -p build/attempts
	@$(foreach l,$(if $(LESSON),$(filter $(LESSON)-% 0$(LESSON)-%,$(LESSONS)),$(LESSONS)),\
	    $(TUTOR) attempts $l tests/attempts/$l $($l_TESTS) >build/attempts/$l && \
	    cp build/attempts/$l tests/attempts/$l;)

## make stubs      write the stubs in lessons/ from the solutions (maintainers)
stubs:
	@sh common/make/stubs.sh write $(LESSONS)

## make bench-loop  what make costs, against compiling and running by hand
bench-loop: $(TUTOR) $($(firstword $(LESSONS))_TESTS)
	@sh common/make/bench_loop.sh $(firstword $(LESSONS)) $($(firstword $(LESSONS))_TESTS)

## make times      measure the commands, for the README (maintainers)
times: $(UNITY_C)
	@sh common/make/times.sh

## make pictures   draw the pictures of the README again (maintainers)
pictures: $(TUTOR) $(foreach l,$(LESSONS),$($l_TESTS))
	@sh common/make/pictures.sh

## make format     lay out the C files as .clang-format says (maintainers)
format:
	@clang-format -i common/*.[ch] common/tutor/*.[ch] solutions/*/*.c lessons/*/*.h \
	    lessons/*/milestone.c lessons/*/milestone/*.[ch] tests/*.h tests/*/*.[ch] plots/*/*.c

## make clean      delete everything made (not the fetched Unity)
clean:
	@rm -rf $(filter-out build/fetched,$(wildcard build/*))

## make help       this list; FROM=solutions (or any such folder): others' code
help:
	@sed -n 's/^## //p' Makefile

# A word that is no command.
.DEFAULT:
	@case '$@' in $(OBJECTS)/*.o) echo "$(patsubst $(OBJECTS)/%.o,%.c,$@) is not there." >&2; exit 2 ;; esac
	@echo "make knows no '$@'. make help lists the commands; the lessons are" \
	    "$(foreach l,$(LESSONS),$(call number,$l))." >&2; exit 2

# Building. The learner's own file is compiled by the tutor, which reads the compiler's messages.
$(CONFIG): common/make/probe.sh
	@mkdir -p $(@D)
	@sh common/make/probe.sh $@

$(UNITY_C): $(if $(UNITY),force)
	@sh common/make/unity.sh $(@D)

$(OBJECTS)/unity.o: $(UNITY_C)
	@$(CC) $(OURS_C) $(UNITY_C_FLAGS) -c $< -o $@

$(OBJECTS)/common/%.o: common/%.c | $(UNITY_C)
	@mkdir -p $(@D)
	@$(CC) $(OURS_C) -c $< -o $@

$(OBJECTS)/tests/%.o: tests/%.c | $(UNITY_C)
	@mkdir -p $(@D)
	@$(CC) $(OURS_C) -c $< -o $@

$(OBJECTS)/plots/%.o: plots/%.c
	@mkdir -p $(@D)
	@$(CC) $(OURS_C) -c $< -o $@

$(OBJECTS)/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(LESSON_C) -MMD -MP -c $< -o $@

# The tests of our own parts, and the tutor with sanitizers, for them.
OWN_TESTS := $(foreach t,test_common failures test_tutor test_slips pty,$(OBJECTS)/$t)
TUTOR_O   := $(call object,$(filter-out %/tutor.c,$(TUTOR_C)))

.PHONY: all-objects
all-objects: $(TUTOR) $(RUNNER) $(OBJECTS)/tutor-checked $(OWN_TESTS) $(foreach l,$(LESSONS),$($l_TESTS))

$(OBJECTS)/test_common $(OBJECTS)/failures: $(OBJECTS)/%: $(OBJECTS)/tests/common/%.o $(HARNESS)
	@$(CC) $(CFLAGS) $^ -o $@ $(LDLIBS)

$(OBJECTS)/test_tutor $(OBJECTS)/test_slips: $(OBJECTS)/%: $(OBJECTS)/tests/tutor/%.o $(TUTOR_O) $(HARNESS)
	@$(CC) $(CFLAGS) $^ -o $@ $(LDLIBS)

$(OBJECTS)/pty: tests/tutor/pty.c
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O1 $(WARNINGS) -D_DARWIN_C_SOURCE $< -o $@

$(OBJECTS)/tutor-checked: $(TUTOR_O) $(OBJECTS)/common/tutor/tutor.o
	@$(CC) $(CFLAGS) $^ -o $@

$(TUTOR): $(TUTOR_C) $(wildcard common/tutor/*.h common/slips/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O1 -g $(WARNINGS) -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE \
	    $(TUTOR_C) -o $@

-include $(wildcard $(OBJECTS)/*/*.d $(OBJECTS)/*/*/*.d)
