import type {Field} from './entries.ts';
import {field, inTransforms, pro} from './field.ts';
import {arrayOf, boolean, integer, string, stringsByName} from './value-type.ts';

/** The request as it came in: its line, host, headers and query. */
export const requestFields: readonly Field[] = [
	field('http.host', string, 'host that was asked for'),
	field('http.request.method', string, 'method of the request, in capitals'),
	field('http.request.uri', string, 'path and query of the request'),
	field('http.request.uri.path', string, 'path of the request, without the query'),
	field(
		'http.request.uri.path.extension',
		string,
		'file extension of the path, in lower case, without the dot',
	),
	field('http.request.uri.query', string, 'query of the request, without the question mark'),
	field('http.request.full_uri', string, 'whole address of the request: scheme, host, path and query'),
	field('http.user_agent', string, 'User-Agent header: the program that asks'),
	field('http.referer', string, 'Referer header: the page that the request came from'),
	field('http.cookie', string, 'Cookie header, all cookies in one text'),
	field('http.x_forwarded_for', string, 'X-Forwarded-For header: addresses of proxies on the way'),
	field('http.request.version', string, 'version of HTTP, as HTTP/2'),
	field('http.request.headers', stringsByName, 'headers of the request by name, names in lower case'),
	field('http.request.headers.names', arrayOf(string), 'names of the headers, in lower case'),
	field('http.request.headers.values', arrayOf(string), 'values of the headers'),
	field('http.request.headers.truncated', boolean, 'whether there were more headers than are looked at'),
	field('http.request.uri.args', stringsByName, 'parameters of the query by name'),
	field('http.request.uri.args.names', arrayOf(string), 'names of the query parameters'),
	field('http.request.uri.args.values', arrayOf(string), 'values of the query parameters'),
	field('http.request.cookies', stringsByName, 'cookies of the request by name', pro),
	field(
		'http.request.accepted_languages',
		arrayOf(string),
		'languages that the client prefers',
		inTransforms,
	),
	field('http.request.timestamp.sec', integer, 'time of the request, in seconds since 1970'),
	field('http.request.timestamp.msec', integer, 'milliseconds of the time of the request, 0 to 999'),
	field('ssl', boolean, 'whether the client connected with TLS'),
	field('raw.http.request.uri', string, 'path and query as they were sent, not normalised'),
	field('raw.http.request.uri.path', string, 'path as it was sent, not normalised'),
	field('raw.http.request.uri.path.extension', string, 'file extension of the path as it was sent'),
	field('raw.http.request.uri.query', string, 'query as it was sent, not normalised'),
	field('raw.http.request.uri.args', stringsByName, 'query parameters by name, as they were sent'),
	field('raw.http.request.uri.args.names', arrayOf(string), 'names of query parameters, as they were sent'),
	field('raw.http.request.uri.args.values', arrayOf(string), 'values of query parameters, as they were sent'),
	field('raw.http.request.full_uri', string, 'whole address as it was sent, not normalised'),
];
