import {type ArrivedRequest, buildRawResponse, type FaultyLine} from './faulty-line.ts';

/** All the ways in which a service, or something in front of it, may write a secret. */
export const listEncodings = (secret: string): readonly string[] => [
	secret,
	encodeURIComponent(secret),
	Buffer.from(secret).toString('base64'),
	Buffer.from(secret).toString('base64url'),
	Buffer.from(`user:${secret}`).toString('base64'),
	Buffer.from(`ab:${secret}!`).toString('base64'),
	JSON.stringify(secret).slice(1, -1),
];

/** What a text must not contain of a secret; a part of it would be enough to reveal it. */
export const listRevealingTexts = (secret: string): readonly string[] => [
	...listEncodings(secret),
	secret.slice(0, 12),
	secret.slice(-12),
];

/** A secret in all its encodings, as one text. */
export const joinEncodings = (secret: string): string => listEncodings(secret).join(' ');

/** Whether a request changes something: some readings are sent with POST. */
const isWrite = ({method, path}: ArrivedRequest): boolean =>
	method !== 'GET' && !/validate-expr|bulk\/get|graphql/.test(path);

/** An error response with the secret in each of its texts, and in a header. */
const buildErrorWithSecret = (secret: string): Buffer =>
	buildRawResponse(
		400,
		JSON.stringify({
			success: false,
			errors: [
				{code: 1, message: joinEncodings(secret), error_chain: [{code: 2, message: joinEncodings(secret)}]},
			],
			messages: [{code: 3, message: joinEncodings(secret)}],
			result: null,
		}),
		{'content-type': 'application/json', 'cf-ray': joinEncodings(secret)},
	);

/**
 * A response of the service with the secret added to a header and, in JSON with messages, to one of those.
 */
function addSecret(response: Buffer, secret: string): Buffer {
	const end = response.indexOf('\r\n\r\n');
	const head = response
		.toString('latin1', 0, end)
		.split('\r\n')
		.filter(line => !/^(content-length|cf-ray):/i.test(line));
	const body = response.subarray(end + 4);
	const message = JSON.stringify([{code: 1, message: joinEncodings(secret)}]);
	const text = body.toString('latin1').replace(/"messages":(\[\]|null)/, `"messages":${message}`);
	const lines = [
		...head,
		`cf-ray: ${joinEncodings(secret)}`,
		`x-token: ${secret}`,
		`content-length: ${text.length}`,
	];
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`, 'latin1');
}

/** Rejects all requests, or only writes, with errors that echo the secret; other responses get it added. */
export function echoSecret(
	line: FaultyLine,
	secret: string,
	rejectedRequests: 'everything' | 'writes',
): void {
	line.setFault({
		matches: () => true,
		when: 'before the effect',
		reply: {
			answer: async (request, served) =>
				rejectedRequests === 'everything' || isWrite(request)
					? buildErrorWithSecret(secret)
					: addSecret(await served(), secret),
		},
	});
}
