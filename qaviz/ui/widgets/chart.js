// Makes pictures of a chart that stands on the page. Plotly itself is not within reach, but the chart's own camera
// button is: it is given the chart's data with the layout of a picture, and draws and saves that unseen.

const scales = { png: 2, svg: 1 };

const draw = (chart, format, { layout, file }) => {
  const camera = chart._fullLayout._modeBar.buttons.flat().find((button) => button.name === "toImage");
  const { width, height } = layout;
  camera.click({
    data: structuredClone(chart.data),
    layout: structuredClone(layout),
    config: {},
    _context: {
      ...chart._context,
      displayNotifier: false,
      toImageButtonOptions: { format, scale: scales[format], filename: file, width, height },
    },
  });
};

export default function ({ data, parentElement }) {
  const buttons = Object.keys(scales).map((format) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = data.labels[format];
    made.addEventListener("click", () => draw(document.querySelector(`.${data.chart} .js-plotly-plot`), format, data));
    return made;
  });
  parentElement.querySelector(".buttons").replaceChildren(...buttons);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
