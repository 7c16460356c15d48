"""What Sphinx is told of the site; ``docs.site.make`` builds it."""

from __future__ import annotations

from pathlib import Path

from docs.site.docstrings import hide_constructor, read_sections
from docs.site.pages import to_anchor
from sphinx.application import Sphinx

from toprung.report.charts.tokens import TOKENS
from toprung.version import __version__ as release

HERE = Path(__file__).parent

project = "Toprung"
author = "The Toprung developers"
version = release
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["files/**"]
suppress_warnings: list[str] = []

# Markdown
smartquotes_action = "D"  # dashes alone; quotes are shown as they are written
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = f"{to_anchor.__module__}.{to_anchor.__name__}"

# Docstrings
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    "member-order": "bysource",
    "exclude-members": "FIGURES, FRAME, MADE_FROM",  # how a result is written down, not what it holds
}
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False

# Pages; nothing is fetched from anywhere
html_theme = "furo"
html_title = f"Toprung {release}"
html_theme_options = {
    f"{scheme}_css_variables": {
        "color-brand-primary": getattr(TOKENS["top"], scheme),
        "color-brand-content": getattr(TOKENS["top"], scheme),
        "color-brand-visited": getattr(TOKENS["top"], scheme),
        "color-background-primary": getattr(TOKENS["paper"], scheme),
        "color-foreground-primary": getattr(TOKENS["ink"], scheme),
    }
    for scheme in ("light", "dark")
}
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None


def setup(app: Sphinx) -> None:
    """Sphinx calls it first."""
    app.connect("autodoc-process-docstring", read_sections)
    app.connect("autodoc-process-signature", hide_constructor)
