// A separate file because the page's Content-Security-Policy blocks inline scripts. `validatorUrl: null` prevents the contract from being
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
