const place = document.getElementById("chart");
const { data, layout } = JSON.parse(document.getElementById("figure").textContent);
Plotly.newPlot(place, data, layout, {
  responsive: true,
  displaylogo: false,
  showSendToCloud: false,
  toImageButtonOptions: { format: "png", scale: 2, filename: place.dataset.file },
});
