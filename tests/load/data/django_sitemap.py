"""The sitemap of the same products by Django's GenericSitemap: FILE LIMIT. Prints its address."""

import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

file, limit = sys.argv[1], int(sys.argv[2])
settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": file}},
    INSTALLED_APPS=["django.contrib.sitemaps"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="none",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    USE_TZ=True,
)
django.setup()

from django.contrib.sitemaps import GenericSitemap, views  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402


class Product(models.Model):
    id = models.BigIntegerField(primary_key=True)
    slug = models.TextField()
    updated_at = models.DateTimeField()
    draft = models.BooleanField()

    class Meta:
        app_label = "shop"
        db_table = "products"
        managed = False

    def get_absolute_url(self):
        return f"/products/{self.slug}"


products = GenericSitemap({"queryset": Product.objects.filter(draft=False).order_by("id"), "date_field": "updated_at"})
products.limit = limit
urlpatterns = [
    path("sitemap.xml", views.index, {"sitemaps": {"products": products}}),
    path(
        "sitemap-<section>.xml",
        views.sitemap,
        {"sitemaps": {"products": products}},
        name="django.contrib.sitemaps.views.sitemap",
    ),
]


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
