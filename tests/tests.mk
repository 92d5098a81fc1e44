# What tests, proves and measures the course and its tools; the Makefile includes it.

.PHONY: test tools slips mutants costs attempts bench-loop bench-grade times pictures all-objects

## make test       prove that everything in this repository is right
test: tools
	@sh tests/run.sh

## make tools      install the programs that make test uses, if this asks nothing
tools: $(FETCHED)
	@sh common/make/need.sh gnuplot
	@sh common/make/need.sh -o pandoc weasyprint mpicc mpirun bwrap python3 zip unzip busybox chromium wasm

# The tutor's parts with the commands that prove what it finds in wrong code.
PROVE   := $(OBJECTS)/prove
PROVE_C := $(filter-out %/tutor.c,$(TUTOR_C)) $(wildcard tests/prove/*.c)
$(PROVE): $(PROVE_C) $(TUTOR_H) tests/prove/prove.h
	@$(call program,-Wvla $(PROVE_C))

## make slips      prove that the tutor recognises every known mistake; LESSON=02
## make mutants    prove that the tests catch every generated mistake; LESSON=02
## make costs      the extra time of a first and of a later failure of an exercise
slips mutants costs: $(foreach l,$(ASKED),$$(call tests,$l)) $(TUTOR) $(PROVE) $(RUNNER)
	@$(foreach l,$(ASKED),$(PROVE) $@ $l $(call tests,$l) || failed=1;) \
	[ $@ != slips ] || awk -f tests/prove/origins.awk $(ASKED:%=tests/%/slips); [ ! "$$failed" ]

## make attempts   what the tutor finds in lists of wrong attempts: DIR=folder;
##                 LESSON=02
LISTED = $(strip $(foreach l,$(ASKED),$(if $(wildcard $(DIR)/$l),$l)))
attempts: $(foreach l,$(LISTED),$$(call tests,$l)) $(PROVE) $(RUNNER)
	@$(if $(LISTED),:,echo 'No lists: DIR=folder, with a file such as folder/01-softmax' >&2; exit 2)
	@$(foreach l,$(LISTED),$(PROVE) attempts $l '$(DIR)/$l' $(call tests,$l);)
objects-%:
	@echo $(call tests,$*)

## make bench-loop  the cost of make, compared with compiling and running by hand
bench-loop: $(TUTOR) $$(call tests,$(firstword $(LESSONS)))
	@sh tests/measure/bench_loop.sh $(firstword $(LESSONS)) $(call tests,$(firstword $(LESSONS)))

## make bench-grade  the time to grade a class of 120; LESSON=02
bench-grade: $(TUTOR) $(PROVE)
	@sh tests/measure/bench_grade.sh $(or $(if $(LESSON),$(firstword $(ASKED))),$(firstword $(LESSONS)))

## make times      how many seconds each command takes
times: $(FETCHED)
	@sh tests/measure/times.sh

## make pictures   redraw the pictures of the README
pictures: $(TUTOR) $(PROVE) $$(call tests,$(firstword $(LESSONS)))
	@sh tests/measure/pictures.sh

# The tests of our own parts, and the tutor with sanitizers, for them.
TUTOR_O   := $(call object,$(filter-out %/tutor.c,$(TUTOR_C)))
OWN_TESTS := $(patsubst %,$(OBJECTS)/%,test_common failures test_tutor test_slips pty \
    tutor-checked tutor-loud)
all-objects: $(TUTOR) $(PROVE) $(GENERATE) $(RUNNER) $(OWN_TESTS) \
    $(foreach l,$(LESSONS),$$(call tests,$l))
$(OBJECTS)/test_common $(OBJECTS)/failures: $(OBJECTS)/%: $(OBJECTS)/tests/common/%.o $(HARNESS)
$(OBJECTS)/test_common: $(OBJECTS)/tests/common/test_threads.o
$(OBJECTS)/test_tutor $(OBJECTS)/test_slips: $(OBJECTS)/%: $(TUTOR_O) $(HARNESS) \
    $$(call object,tests/tutor/$$*.c tests/tutor/$$*_*.c)
$(OBJECTS)/pty: $(call object,tests/tutor/pty.c common/base/effort.c)
$(OBJECTS)/tutor-checked: $(TUTOR_O) $(OBJECTS)/common/tutor/tutor.o
# For the suite findings: the tutor with other words for all that it finds.
$(OBJECTS)/loud/words.o: common/tutor/words.c tests/tutor/loud.h $(OBJECTS)/flags
	@$(call compile,-include tests/tutor/loud.h $<)
$(OBJECTS)/tutor-loud: $(filter-out %/words.o,$(TUTOR_O)) $(OBJECTS)/loud/words.o \
    $(OBJECTS)/common/tutor/tutor.o
$(OWN_TESTS):
	@$(CC) $(LOOKBACK_OURS) $^ -o $@ $(LOOKBACK_LDLIBS)
-include $(if $(filter all-objects,$(GOALS)),\
    $(wildcard $(foreach d,common/* common/*/* loud,$(OBJECTS)/$d/*.d)))
