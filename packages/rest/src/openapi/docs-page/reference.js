// A separate file because the page's Content-Security-Policy blocks inline scripts. `validatorUrl: null` prevents the contract from being
// sent to swagger.io.
const contract = new URLSearchParams(window.location.search).get('contract');

window.SwaggerUIBundle({
  // Only this name selects another contract, so that a link cannot make the page load a contract of its own.
  url: contract === 'settings-v1' ? '/openapi/settings-v1.json' : '/openapi/v1.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  layout: 'BaseLayout',
  validatorUrl: null,
});
