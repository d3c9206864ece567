#pragma once

/* page.html, page.css and the modules of the script, made into assets.c when profkit is built. */
extern const char pk_report_page[];
extern const char pk_report_style[];
extern const char pk_report_script[];
