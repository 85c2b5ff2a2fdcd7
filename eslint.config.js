// Rules for the scripts of pages (modules).
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
  { files: ["qaviz/**/*.js"], languageOptions: { globals: { ...globals.browser, element: "readonly" } }, rules },
  { files: ["qaviz/ui/widgets/element.js"], rules: { "no-unused-vars": "off" } },
];
