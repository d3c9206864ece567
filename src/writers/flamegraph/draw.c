#include "writers/flamegraph/draw.h"

#include "writers/flamegraph/assets.h"

void pk_flame_styles(struct pk_svg *svg, const char *search_color)
{
	pk_svg_put(svg, "<style>\n");
	pk_svg_put(svg, pk_flame_style);
	pk_buf_addf(&svg->buf, ".pkfg .m>rect{fill:%s}\n.pkfg .m>text{fill:#000}\n", search_color);
}

void pk_flame_put_error(struct pk_output *out, double width, double fontsize, const char *text)
{
	pk_output_printf(out,
			 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
			 "width=\"%g\" height=\"%g\">\n"
			 "<rect width=\"100%%\" height=\"100%%\" fill=\"#eee\"/>\n"
			 "<text x=\"50%%\" y=\"%g\" text-anchor=\"middle\" font-size=\"%g\" "
			 "font-family=\"sans-serif\">%s</text>\n"
			 "</svg>\n",
			 width > 0 ? width : PK_FLAME_WIDTH, fontsize * 5, fontsize * 2,
			 fontsize + 2, text);
}
