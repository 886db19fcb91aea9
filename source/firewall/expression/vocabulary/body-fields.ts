import type {Field} from './entries.ts';
import {addOn, enterprise, field} from './field.ts';
import {arrayOf, boolean, integer, mapOf, string, stringsByName} from './value-type.ts';

const listsOfStrings = arrayOf(arrayOf(string));
const integersByName = mapOf(arrayOf(integer));

const body = (name: string, type: Field['type'], about: string): Field =>
	field(`http.request.body.${name}`, type, about, enterprise);

/** The body of the request. */
export const bodyFields: readonly Field[] = [
	field('http.request.body.mime', string, 'media type of the body, as it looks'),
	body('raw', string, 'body of the request, as far as it is looked at'),
	body('truncated', boolean, 'whether the body is longer than what is looked at'),
	body('size', integer, 'size of the body, in bytes'),
	body('form', stringsByName, 'fields of a submitted form by name'),
	body('form.names', arrayOf(string), 'names of the form fields'),
	body('form.values', arrayOf(string), 'values of the form fields'),
	body('multipart', stringsByName, 'parts of a multipart body by name'),
	body('multipart.names', listsOfStrings, 'names of the parts'),
	body('multipart.values', arrayOf(string), 'values of the parts'),
	body('multipart.content_types', listsOfStrings, 'Content-Type headers of the parts'),
	body('multipart.content_dispositions', listsOfStrings, 'Content-Disposition headers of the parts'),
	body(
		'multipart.content_transfer_encodings',
		listsOfStrings,
		'Content-Transfer-Encoding headers of the parts',
	),
	body('multipart.filenames', listsOfStrings, 'file names of the parts'),
];

/** A claim of a JSON web token: by configuration of the token, and the names and values of that map. */
const claim = (
	name: string,
	about: string,
	of: typeof string = string,
	byName: typeof string = stringsByName,
): readonly Field[] => [
	field(`http.request.jwt.claims.${name}`, byName, `${about}, by token configuration`, addOn),
	field(
		`http.request.jwt.claims.${name}.names`,
		arrayOf(string),
		`token configurations that have one: ${name}`,
		addOn,
	),
	field(`http.request.jwt.claims.${name}.values`, arrayOf(of), `${about}, of all tokens`, addOn),
];

/** The JSON web tokens that came with the request. */
export const tokenFields: readonly Field[] = [
	...claim('aud', 'audience of the token (JWT)'),
	...claim('iat.sec', 'time the token (JWT) was issued, in seconds', integer, integersByName),
	...claim('iss', 'issuer of the token (JWT)'),
	...claim('jti', 'id of the token (JWT)'),
	...claim('nbf.sec', 'beginning of the token (JWT), in seconds', integer, integersByName),
	...claim('sub', 'subject of the token (JWT)'),
];
