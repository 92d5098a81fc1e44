# Lookback: attention from scratch, in C. `make help` lists the commands. Most of them call the
# tutor (common/tutor). In common/make are the rules that build, and commands for maintainers.

# What a user gives is text: make does not expand it, and the shell gets it in quotes.
GIVEN   := CC EXERCISE FORMAT FROM LESSON LESSONS LLAMA2 MODEL SANITIZE SECONDS STRICT UNITY WITH
by_hand  = $(filter command$2,$(firstword $(origin $1)))
$(foreach v,$(.VARIABLES),$(if $(call by_hand,$v,$(if $(filter $v,$(GIVEN)), environment)),\
    $(eval override $v := $$(value $v))$(eval export $v)))
unexport LESSONS
quoted   = '$(subst ','\'',$1)'

FROM    ?= lessons
FORMAT  ?= png
CC      ?= cc
# A lesson has a header. Lessons with tests are assigned; earlier ones may ship only a header.
folders  = $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard $1)))))
ALL     := $(call folders,lessons/[0-9]*-*/*.h)
CHOSEN  := $(LESSONS)
override LESSONS := $(filter $(call folders,tests/[0-9]*-*/test_*.c),$(ALL))
RELEASE := $(wildcard RELEASE)

# A folder outside of the course gets its full path, so that its results stay under build/.
$(if $(findstring ',$(FROM)),$(error FROM=$(FROM) has a quote in its name: rename or link it))
override FROM := $(patsubst %/,%,$(FROM))
ifneq ($(FROM),lessons)
FOLDER  := $(shell cd '$(FROM)' 2>&- && case '$(FROM)' in (*..*) pwd ;; (*) echo '$(FROM)' ;; esac)
$(if $(FOLDER),,$(error FROM='$(FROM)' is no folder of lessons))
override FROM := $(FOLDER)
endif
RESULTS := build/$(if $(filter-out lessons,$(FROM)),from/)$(FROM)
OBJECTS := build/obj-$(subst /,-,$(subst $() $(),-,$(CC)))$(if $(filter no,$(SANITIZE)),-plain)
CONFIG  := $(OBJECTS)/config
TUTOR   := build/tutor
GENERATE := build/generate
FETCHED := build/fetched/unity/complete

# If make may not write in one of its folders, say so before anything fails there.
BLOCKED := $(if $(filter-out help maintain,$(or $(MAKECMDGOALS),check)),$(shell \
    sh common/make/writable.sh '$(OBJECTS)' '$(FROM)' '$(RESULTS)'))
$(if $(BLOCKED),$(error $(BLOCKED)))

# Scripts and the tutor read all settings from one file. They run in the C locale, so that numbers
# and messages are always the same. A pager, a browser and a debugger get the user's locale back.
export CC SANITIZE FROM FORMAT
export LOOKBACK_CONFIG := $(CONFIG)
export LOOKBACK_LC_ALL := $(value LC_ALL)
export LC_ALL := C
export LESSCHARSET ?= utf-8

# 3 or 03 -> 03-scaled, and its number back. The lessons of LESSON=, and of a target (hint-03).
lesson   = $(filter $1-% 0$1-%,$(LESSONS))
number   = $(firstword $(subst -, ,$1))
NUMBERS := $(sort $(foreach l,$(LESSONS),$(call number,$l) $(patsubst 0%,%,$(call number,$l))))
ASKED   := $(if $(LESSON),$(foreach n,$(LESSON),$(call lesson,$n)),$(LESSONS))
which    = $(call lesson,$(firstword $(filter $(NUMBERS),$(subst -, ,$@))))
verb     = $(firstword $(subst -, ,$@))

# Ask the tutor once which lessons are passed, which need another check, and which one is current.
GOALS   := $(filter-out help maintain clean stubs format,$(or $(MAKECMDGOALS),check))
-include $(if $(wildcard $(CONFIG)),$(if $(filter-out demo test,$(GOALS)),$(OBJECTS)/tutor.mk))
-include $(if $(GOALS),$(CONFIG))
STATE   := $(if $(filter-out test,$(GOALS)),$(if $(wildcard $(TUTOR)),\
    $(shell $(TUTOR) state '$(FROM)' '$(RESULTS)')))
is       = $(patsubst $1:%,%,$(filter $1:%,$(STATE)))
CURRENT := $(if $(STATE),$(call is,current),$(firstword $(LESSONS)))

# The reference needs no check before it is drawn.
DRAWABLE = $(if $(filter solutions,$(FROM)),$(LESSONS),$(call is,passed))

# Code that is neither the learner's own nor the course's runs in boxes, unless UNSAFE=1 trusts it.
OTHER := $(if $(filter-out 0,$(UNSAFE)),,$(filter-out lessons solutions,$(subst $() $(),-,$(FROM))))
BOX      = $(if $(OTHER),sh common/grade/in_box.sh $(which))
UNBOXED  = $(if $(OTHER),$(error This runs outside of boxes: add UNSAFE=1 if you trust the code))
# After a failure make ends with status 1. With a single goal, its own "*** Error" is left out.
END      = $(if $(word 2,$(MAKECMDGOALS))$(findstring k,$(firstword -$(MAKEFLAGS))),,\
    || . common/make/stop.sh)

# Commands and lessons that do not exist.
COMMANDS := test hint read debug quiz show run try bench plot play solution reset
THERE_ARE = the lessons are $(foreach l,$(LESSONS),$(call number,$l))
$(foreach g,$(filter $(COMMANDS:%=%-%),$(filter-out bench-loop bench-grade,$(MAKECMDGOALS))) \
    $(if $(filter report grade book,$(MAKECMDGOALS)),$(LESSON)),\
    $(if $(call lesson,$(lastword $(subst -, ,$g))),,\
        $(error There is no lesson $(if $(findstring -,$g),for )$g: $(THERE_ARE))))
$(foreach g,$(if $(RELEASE),$(filter bench grade play play-%,$(MAKECMDGOALS))),\
    $(error make $g is not in a release: it needs the whole course))

.SUFFIXES .SECONDEXPANSION .SECONDARY .DELETE_ON_ERROR:
.PHONY: check bench demo watch list hint read report grade plots play clean help force $(NUMBERS)

## Learn
## make            check the lesson that you are on, and say what to do next
check: renewed $(or $(call number,$(CURRENT)),$(TUTOR))
	@$(if $(CURRENT),:,$(TUTOR) finished)
## make 02         check lesson 02 (also: make 2); FORMAT=json: for programs
$(NUMBERS): $$(READY) force
	@$(BOX) $(TUTOR) check $(which) $(TESTS) $(END)
# Before results are used, check again what has changed, or whose tests have changed.
record-% told-%: $$(READY) force
	@$(BOX) $(TUTOR) $(verb) $* $(TESTS)
renewed: $(addprefix record-,$(call is,renew))
## make watch      the same as make, again after each save
watch: $(TUTOR) $(foreach l,$(LESSONS),$$(call tests,$l))
	@sh common/make/watch.sh $(LESSONS)
## make hint       a hint for the lesson checked last; again: a stronger one;
##                 EXERCISE=entropy for another exercise, in any lesson
hint: $(if $(EXERCISE),$(TUTOR),$(addprefix hint-,$(call number,$(or $(call is,last),$(CURRENT)))))
	@$(if $(EXERCISE),sh common/make/hint.sh $(call quoted,$(EXERCISE)) $(END),\
	    $(if $(call is,last)$(CURRENT),:,$(TUTOR) finished))
hint-%: $$(RECORDED) $$(READY)
	@$(TUTOR) hint $(which) $(call quoted,$(or $(EXERCISE),-)) $(TESTS) $(END)
## make read-02    the text of lesson 02; PAGE=1: in the browser
## make read       the syllabus
read: read-syllabus
read-%:
	@sh common/make/read.sh lessons/$(addsuffix /,$(which))README.md $(END)
## make debug-02   the debugger, in your function at the first failing test
debug-%: $(TUTOR) $$(TESTS)
	@sh common/make/debug.sh $(which) $(TESTS) $(END)
## make test-02    the tests of lesson 02 alone, as plain Unity output
test-%: $(TUTOR) $$(TESTS)
	@$(BOX) $(TUTOR) test $(which) $(TESTS) $(END)
## make quiz-02    questions about lesson 02, at the terminal
quiz-%: $(TUTOR)
	@sh common/make/quiz.sh $(which) $(END)
## make solution-02  your file next to the reference; or only EXERCISE=name
solution-%: $$(RECORDED) $(TUTOR)
	@sh common/make/solution.sh $(which) $(call quoted,$(EXERCISE)) $(END)
## make reset-02   the empty exercises back, your file kept; or EXERCISE=name
reset-%: $(TUTOR)
	@sh common/make/reset.sh $(which) $(call quoted,$(EXERCISE)) $(END)

## See
## make demo       see in seconds how an attention head learns
demo: $(CONFIG)
	@sh common/make/demo.sh $(END)
# Commands of single lessons.
OFFERED := $(wildcard lessons/*/milestone/commands.mk)
include $(OFFERED)
## make list       all lessons and exercises, with their state
list: $$(call OLD,$(LESSONS)) $(TUTOR)
	@$(TUTOR) list
## make show-02    the worked example of lesson 02, computed by your code
show-%: renewed $(TUTOR) $$(SHOWN) $$(EARLIER)
	@sh common/make/paged.sh $(BOX) $(TUTOR) show $(which) $(SHOWN) $(END)
## make try-02     your own numbers through your own functions, at a prompt
## make try-07     your own sentences, for the networks that you have trained
try-%: renewed $$(RECORDED) $(TUTOR) $$(TRIED) $$(EARLIER)
	@$(if $(TRIED),$(TUTOR) try $(which) $(TRIED),$(MILESTONE) try $(which) $(RUNNING)) $(END)
## make run-06     the milestone of lesson 06: a training run on your code; SEED=2
## make run-07     the same for lesson 07; QUICK=1: a short one
## make run-13 WITH=14  with the fast attention of lesson 14; bench-13: compare
## make run-15     the same on several processes, with Open MPI; RANKS=4, HOSTS=a,b
## make bench-07   how fast it trains, and which parts take how much time
## make bench-14   attention, OpenBLAS, PyTorch compared; T=4096 CAUSAL=1 THREADS=2
## make bench-16   tokens a second; LLAMA2=folder: with its run.c and runq.c, too
EARLY    = $(if $(wildcard lessons/$(which)/milestone/early),|| sh common/make/found.sh $(which) $$?)
run-% bench-%: renewed $$(RECORDED) $(TUTOR)
	@sh common/make/need.sh $(shell cat lessons/$(which)/milestone/needs 2>/dev/null) $(END)
	@$(MILESTONE) $(verb) $(which) $(RUNNING) $(EARLY) $(END)
## make bench      all benchmarks, and the machine that ran them, in one table
bench: $(TUTOR)
	@sh common/make/bench.sh $(if $(SECONDS),$(call quoted,SECONDS=$(SECONDS))) $(END)
## make plot-02    its pictures; FORMAT=png, svg, pdf, tex, ascii; WIDTH=column
## make plots      the pictures of every lesson that you have passed
plot-%: renewed $$(RECORDED) $(TUTOR) $$(DRAWN) $$(EARLIER) | $$(filter run-$$*,$(MAKECMDGOALS))
	@sh common/make/need.sh gnuplot $(END)
	@$(if $(OTHER),,$(MILESTONE) renew $(which) $(RUNNING))
	@$(BOX) sh common/make/plot.sh $(which) $(DRAWN) $(END)
plots: $(foreach l,$(DRAWABLE),plot-$(call number,$l))
	@$(if $(DRAWABLE),:,echo "No lesson is passed yet: the pictures are drawn from your code.")
## make play-02    a page for the browser in which your functions run
## make play       these pages for all lessons
play: play-all
play-%: $(GENERATE) force
	@$(UNBOXED)sh common/make/need.sh wasm && sh common/web/play/play.sh $(which) $(END)

## Hand in
## make report     homework as HTML and PDF; NAME="..." LESSON=02 POINTS=file;
##                 PICTURES=no leaves the pictures out, which is quicker
report: $$(call OLD,$(ASKED)) $(TUTOR)
	@sh common/make/report.sh $(ASKED) $(END)

## Teach
## make grade      grade a class, in boxes: DIR=class LESSON=02 JOBS=4;
##                 see lessons/TEACHING.md
grade: $(FETCHED) $(TUTOR)
	@sh common/make/grade.sh $(if $(LESSON),$(ASKED))
## make release    an archive for a class: LESSONS="01 02 03" HINTS=2 (of three)

## More
## make clean      delete all generated files (but not what was downloaded)
clean:
	@[ ! -x $(TUTOR) ] || $(TUTOR) end
	@rm -rf $(filter-out build/fetched,$(wildcard build/*))
## make help       this list; FROM=solutions (or another folder): check that code;
##                 CC=clang: another compiler; VERBOSE=1: all numbers of a
##                 failure; NO_COLOR=1: no colours
## make maintain   the commands for work on the course itself
COMMANDS_IN = awk 'sub(/^\#\# /, "") { print (/^[A-Z]/ && n++ ? "\n" : "") $$0 }'
help:
	@sed $(OFFERED:%=-e '/^# Commands of single lessons/r %') -e '' Makefile | $(COMMANDS_IN)

# A word that is no command.
.DEFAULT:
	@echo $(call quoted,make knows no '$@'.) \
	    $(if $(filter $@,$(COMMANDS)),"Of which lesson? make $@-01.") \
	    "make help lists the commands; $(THERE_ARE)." | fold -s -w 79 >&2; exit 2

include common/make/build.mk $(wildcard common/make/maintainers.mk tests/tests.mk)
