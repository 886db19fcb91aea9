import {type Arrived, type FaultyLine, rawAnswer} from './faulty-line.ts';

/** All the ways in which a service, or something in front of it, may write a secret. */
export const forms = (secret: string): readonly string[] => [
	secret,
	encodeURIComponent(secret),
	Buffer.from(secret).toString('base64'),
	Buffer.from(secret).toString('base64url'),
	Buffer.from(`user:${secret}`).toString('base64'),
	Buffer.from(`ab:${secret}!`).toString('base64'),
	JSON.stringify(secret).slice(1, -1),
];

/** What a text must not hold of a secret; half of it would do, too. */
export const revealing = (secret: string): readonly string[] => [
	...forms(secret),
	secret.slice(0, 12),
	secret.slice(-12),
];

/** A secret in all its forms, as a service may write it. */
export const said = (secret: string): string => forms(secret).join(' ');

/** Whether a request changes something: some readings are sent with POST. */
const isWrite = ({method, path}: Arrived): boolean =>
	method !== 'GET' && !/validate-expr|bulk\/get|graphql/.test(path);

/** An error that has the secret wherever it has a text, and in a header. */
const refusal = (secret: string): Buffer =>
	rawAnswer(
		400,
		JSON.stringify({
			success: false,
			errors: [{code: 1, message: said(secret), error_chain: [{code: 2, message: said(secret)}]}],
			messages: [{code: 3, message: said(secret)}],
			result: null,
		}),
		{'content-type': 'application/json', 'cf-ray': said(secret)},
	);

/** An answer of the service with the secret in a header and, where it is JSON with messages, in one of those. */
function withSecret(whole: Buffer, secret: string): Buffer {
	const end = whole.indexOf('\r\n\r\n');
	const head = whole
		.toString('latin1', 0, end)
		.split('\r\n')
		.filter(line => !/^(content-length|cf-ray):/i.test(line));
	const body = whole.subarray(end + 4);
	const message = JSON.stringify([{code: 1, message: said(secret)}]);
	const text = body.toString('latin1').replace(/"messages":(\[\]|null)/, `"messages":${message}`);
	const lines = [...head, `cf-ray: ${said(secret)}`, `x-token: ${secret}`, `content-length: ${text.length}`];
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`, 'latin1');
}

/** Refuses everything, or writes alone, with answers that echo the secret; what passes has it in headers and messages. */
export function echo(line: FaultyLine, secret: string, refused: 'everything' | 'writes'): void {
	line.set({
		matches: () => true,
		when: 'before the effect',
		reply: {
			answer: async (request, served) =>
				refused === 'everything' || isWrite(request) ? refusal(secret) : withSecret(await served(), secret),
		},
	});
}
