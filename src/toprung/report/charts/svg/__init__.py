"""Drawing by hand: scales, axes, marks and measured text, written as SVG."""
