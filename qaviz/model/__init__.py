"""The words of qaviz: columns, classes, errors, records, and the catalogue of metrics."""
