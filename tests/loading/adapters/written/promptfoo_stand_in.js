// Stands in for a model: promptfoo asks it, and it says what stands here.
const SAID = {
  "How many?": { output: "There are 158.", cost: 0.002, tokenUsage: { total: 12, prompt: 8, completion: 4 } },
  "Who?": { output: "Bob." },
  "When?": { error: "out of order" },
};

module.exports = class {
  id() {
    return "stand-in";
  }

  async callApi(prompt, context) {
    return SAID[context.vars.question];
  }
};
