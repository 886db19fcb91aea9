// Every test starts from an environment that says nothing: no credential, no configuration of the person
// who runs the tests, no colour switch. A test that wants one sets it.
for (const name of Object.keys(process.env)) {
	if (/^(CLOUDFLARE_|CF_|LEDGE_|XDG_|NO_COLOR$|FORCE_COLOR$|HTTPS?_PROXY$|https?_proxy$)/.test(name))
		delete process.env[name];
}
