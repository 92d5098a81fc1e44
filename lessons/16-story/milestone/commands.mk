## make story      a published model tells a story; SEED=2 tells that one again
## make story-model  fetch this model for lesson 16 (61 MB), or from MODEL=path
.PHONY: story story-model
story: | $(CONFIG)
	@sh lessons/16-story/milestone/fetch.sh && sh common/make/demo.sh 16-story tell $(END)
story-model:
	@sh lessons/16-story/milestone/fetch.sh && \
	    echo 'The model is in build/fetched/story. make run-16 lets your functions tell its story.' $(END)
