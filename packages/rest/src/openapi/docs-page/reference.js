// A file of its own: the page's Content-Security-Policy allows no inline script. `validatorUrl: null` keeps the contract from being
// sent to swagger.io.
window.SwaggerUIBundle({
  url: '/openapi/v1.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  layout: 'BaseLayout',
  validatorUrl: null,
});
