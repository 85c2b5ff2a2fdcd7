// Makes pictures of a chart that stands on the page. Plotly itself is not within reach, but the chart's own camera
// button is: it is given the chart's data with the layout of a picture, and draws and saves that unseen.

const formats = { png: 2, svg: 1 };

const save = (chart, format, { layout, file }) => {
  const camera = chart._fullLayout._modeBar.buttons.flat().find((button) => button.name === "toImage");
  camera.click({
    data: structuredClone(chart.data),
    layout: structuredClone(layout),
    config: {},
    _context: {
      ...chart._context,
      displayNotifier: false,
      toImageButtonOptions: { format, scale: formats[format], filename: file, width: layout.width, height: layout.height },
    },
  });
};

export default function ({ data, parentElement }) {
  const buttons = Object.keys(formats).map((format) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = data.labels[format];
    made.addEventListener("click", () => save(document.querySelector(`.${data.chart} .js-plotly-plot`), format, data));
    return made;
  });
  parentElement.querySelector(".buttons").replaceChildren(...buttons);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
