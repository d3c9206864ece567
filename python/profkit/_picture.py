"""A picture: a page or an SVG that shows itself in notebooks."""
import os
from typing import Dict, List, Optional, Union

_PAGE = ("<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>{title}</title><style>"
         "body{{margin:0}}svg{{max-width:100%;height:auto}}</style></head><body>{body}</body></html>")


class Picture:
    """What profkit draws: data is the SVG or the page. In a notebook it is shown in a frame of its own
    that has no access to the notebook (sandbox), with the text beside it; nothing else is needed to
    show it again from a notebook that was saved."""

    def __init__(self, kind: str, data: str, text: str, notes: "Optional[list[str]]" = None,
                 height: Optional[int] = None) -> None:
        self.kind, self.data, self.text, self.height = kind, data, text, height
        self.notes: List[str] = notes or []

    @property
    def is_svg(self) -> bool:
        return "<svg" in self.data[:2000] and not self.data.lstrip().lower().startswith("<!doctype html")

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(self.data)

    @property
    def html(self) -> str:
        """The page; of an SVG, one that contains it."""
        from html import escape
        if not self.is_svg:
            return self.data
        return _PAGE.format(title=escape(self.kind), body=self.data[self.data.index("<svg"):])

    def _pixels(self) -> int:
        if self.height:
            return self.height
        if self.is_svg:
            import re
            found = re.search(r'<svg[^>]*?\sheight="([0-9.]+)(pt|px)?"', self.data)
            if found:
                return min(800, int(float(found[1]) * (4 / 3 if found[2] == "pt" else 1)) + 20)
        return 600

    def _repr_html_(self) -> str:
        from html import escape
        said = "".join(f"<p>{escape(line)}</p>" for line in [*self.text.splitlines()[:1], *self.notes])
        return (f'<iframe sandbox="allow-scripts" title="{escape(self.kind, quote=True)}" '
                f'style="width:100%;height:{self._pixels()}px;border:1px solid #ccc;background:#fff" '
                f'srcdoc="{escape(self.html, quote=True)}"></iframe>{said}')

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Picture: {self.kind}, {len(self.data):,} characters>\n{self.text}".rstrip()
