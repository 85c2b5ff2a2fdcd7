// Makes pictures of a chart that stands on the page. Plotly itself is not within reach, but the chart's own camera
// button is: it is given the chart's data with the layout of a picture, and draws and saves that unseen.

const scales = { png: 2, svg: 1, pdf: 3, copy: 2 };

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

// A page of the picture's size with the picture on it, without loss (PDF 1.4, sections 4.8 and 7.5).
const asPdf = async (picture, { layout }) => {
  const image = await createImageBitmap(picture);
  const { width, height } = image;
  const pen = new OffscreenCanvas(width, height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const pixels = pen.getImageData(0, 0, width, height).data;
  const colours = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) colours.set(pixels.subarray(from, from + 3), to);
  const packed = new Blob([colours]).stream().pipeThrough(new CompressionStream("deflate"));
  const stream = await new Response(packed).blob();
  const [wide, high] = [layout.width * 0.75, layout.height * 0.75];
  const shown = `q ${wide} 0 0 ${high} 0 0 cm /I Do Q`;
  const objects = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 4 0 R `,
      "/Resources << /XObject << /I 5 0 R >> >> >>",
    ],
    [`<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 `,
      `/Filter /FlateDecode /Length ${stream.size} >>\nstream\n`,
      stream,
      "\nendstream",
    ],
  ];
  const parts = ["%PDF-1.4\n"];
  const starts = objects.map((object, place) => {
    const start = new Blob(parts).size;
    parts.push(`${place + 1} 0 obj\n`, ...object, "\nendobj\n");
    return `${String(start).padStart(10, "0")} 00000 n \n`;
  });
  const end = new Blob(parts).size;
  parts.push(`xref\n0 ${starts.length + 1}\n0000000000 65535 f \n${starts.join("")}`);
  parts.push(`trailer\n<< /Size ${starts.length + 1} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
};

const download = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const makers = {
  png: (chart, data) => draw(chart, "png", scales.png, data),
  svg: (chart, data) => draw(chart, "svg", scales.svg, data),
  pdf: async (chart, data) => download(await asPdf(await take(chart, scales.pdf, data), data), `${data.file}.pdf`),
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
