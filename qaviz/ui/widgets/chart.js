// Makes pictures of a chart that stands on the page. Plotly itself is not within reach, but the chart's own camera
// button is: it is given the chart's data with the layout of a picture, and draws and saves that unseen.

const scales = { png: 2, svg: 1, copy: 2 };

const draw = (chart, format, scale, { layout, file }) => {
  const camera = chart._fullLayout._modeBar.buttons.flat().find((button) => button.name === "toImage");
  camera.click({
    data: structuredClone(chart.data),
    layout: structuredClone(layout),
    config: {},
    _context: {
      ...chart._context,
      displayNotifier: false,
      toImageButtonOptions: { format, scale, filename: file, width: layout.width, height: layout.height },
    },
  });
};

// The camera only saves: what it would save is taken from its hands.
const take = (chart, scale, data) =>
  new Promise((done) => {
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (blob) => {
      if (blob.type === "image/png") {
        URL.createObjectURL = createObjectURL;
        HTMLAnchorElement.prototype.click = function () {
          HTMLAnchorElement.prototype.click = click;
        };
        done(blob);
      }
      return createObjectURL.call(URL, blob);
    };
    draw(chart, "png", scale, data);
  });

const makers = {
  png: (chart, data) => draw(chart, "png", scales.png, data),
  svg: (chart, data) => draw(chart, "svg", scales.svg, data),
  // Browsers allow it within a click only, so that the picture is promised at once.
  copy: (chart, data) =>
    navigator.clipboard.write([new ClipboardItem({ "image/png": take(chart, scales.copy, data) })]),
};

export default function ({ data, parentElement }) {
  const buttons = Object.entries(makers).map(([format, make]) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = data.labels[format];
    made.addEventListener("click", async () => {
      try {
        await make(document.querySelector(`.${data.chart} .js-plotly-plot`), data);
        if (format === "copy") made.textContent = data.labels.copied;
      } catch {
        made.textContent = data.labels.refused;
      }
    });
    return made;
  });
  parentElement.querySelector(".buttons").replaceChildren(...buttons);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
