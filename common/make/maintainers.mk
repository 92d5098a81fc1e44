# What only maintainers run; the Makefile includes it.

.PHONY: maintain new-lesson remove-lesson rename-exercise stubs release book figures format

maintain:
	@cat tests/tests.mk common/make/maintainers.mk | $(COMMANDS_IN)

## make stubs      write the stubs in lessons/ from the solutions
stubs:
	@sh common/make/stubs.sh write $(LESSONS)

## make release    an archive for a class, without the answers: LESSONS="01 02 03";
##                 HINTS=2 of the three
release: $(TUTOR)
	@sh common/grade/release.sh make $(foreach n,$(CHOSEN),$(or $(call lesson,$n),$(call quoted,$n)))

## make book       the course as pages in build/book; URL=, SITE=: its README;
##                 run the milestones first
book: $(GENERATE) $(foreach l,$(ASKED),$(OBJECTS)/tables/$l)
	@$(UNBOXED)sh common/make/need.sh gnuplot pandoc
	@sh common/make/need.sh -o wasm
	@sh common/web/book/book.sh $(ASKED)

## make figures    redraw the plots in the texts: lessons/*/figures; LESSON=02
figures: $(foreach l,$(ASKED),$(if $(wildcard lessons/$l/figures),$(OBJECTS)/tables/$l))
	@sh common/make/need.sh gnuplot
	@sh common/make/figures.sh $(ASKED)

$(OBJECTS)/tables/%: $$(call drawn,$$*) $$(call reference,$$*) $$(call earlier,$$*)
	@mkdir -p $(@D)
	@$(CC) $(LOOKBACK_OURS) $^ -o $@.$$$$ $(LOOKBACK_LDLIBS) && mv $@.$$$$ $@

## make format     format the C files with clang-format 14 and .clang-format
format:
	@sh common/make/format.sh

# What grading a lesson needs: see common/grade/prepare.sh.
GRADING := $(call common,grade/caller grade/host)
grading-%: $(TUTOR) $(GENERATE) $(RUNNER) $(GRADING) $$(call tests,$$*) \
        $$(call object,solutions/$$*/*.c) force
	@echo $(call tests,$*)

## make new-lesson NAME=17-low-rank  write all files of a lesson, with an exercise
## make remove-lesson NAME=17-low-rank  remove it again
new-lesson remove-lesson:
	@sh common/make/new_lesson.sh $(@:-lesson=) $(call quoted,$(NAME))

## make rename-exercise  OLD=name NEW=name: rename a function in all files
rename-exercise:
	@sh common/make/rename.sh $(call quoted,$(OLD)) $(call quoted,$(NEW))
