// Rules for the scripts of pages (modules) and of the report page (parts of one script, which share a scope).
import js from "@eslint/js";
import globals from "globals";

const rules = {
  ...js.configs.recommended.rules,
  eqeqeq: "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-var": "error",
  "prefer-const": "error",
  // Text from files is text: what parses it as HTML is not used.
  "no-restricted-properties": [
    "error",
    ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property })),
    { object: "document", property: "write" },
  ],
};

export default [
  { ignores: [".venv/**", "artefacts/**"] },
  { files: ["qaviz/**/*.js"], languageOptions: { globals: globals.browser }, rules },
  {
    files: ["qaviz/exports/**/*.js"],
    languageOptions: { sourceType: "script", globals: globals.browser },
    // The page's parts are put together into one script: each uses names of the others.
    rules: { "no-undef": "off", "no-redeclare": ["error", { builtinGlobals: false }], "no-unused-vars": ["error", { vars: "local" }] },
  },
];
