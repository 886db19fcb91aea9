// Another service in the place of the default one: what a program sends to api.cloudflare.com goes to the base URL
// LEDGE_DEFAULT_SERVICE, which is plain http.
const http = require('node:http');
const https = require('node:https');
const {syncBuiltinESMExports} = require('node:module');

https.request = (target, options) => {
	const path = target.pathname.replace('/client/v4', '') + target.search;
	const request = http.request(process.env.LEDGE_DEFAULT_SERVICE + path, {...options, agent: false});
	request.once('socket', socket => socket.once('connect', () => socket.emit('secureConnect')));
	return request;
};
syncBuiltinESMExports();
