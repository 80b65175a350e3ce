// What the page takes of its libraries; `npm ci && npm run build` here makes vendor.js anew.
export { createTable, getCoreRowModel, getSortedRowModel } from "@tanstack/table-core";
export { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
export { scaleLinear, scaleLog } from "d3-scale";
export { line, lineRadial, curveLinearClosed } from "d3-shape";
export { bin, extent } from "d3-array";
export { Delaunay } from "d3-delaunay";
