import {quantity} from '../text/figures.ts';
import {quoted} from '../text/shell-word.ts';
import {type Call, type PlannedCall, pathAndQuery} from './call.ts';

export {quoted};

/** Header lines of a credential for a `curl` line: names of variables, never their content. */
export type CredentialVariables = readonly {readonly header: string; readonly variable: string}[];

/**
 * Formats a call as a `curl` command: credentials as shell variables, the body as a file. Contains no values
 * of keys.
 */
export function curlLine(call: Call, baseUrl: string, credential: CredentialVariables): string {
	const words = ['curl', '-sS'];
	if (call.method !== 'GET') words.push('-X', call.method);
	for (const {header, variable} of credential) words.push('-H', `"${header}${variable}"`);
	const {body} = call;
	if (body?.kind === 'value') {
		// Quoted, curl does not interpret `;` or `,` in a file name; `--form-string` keeps metadata literal.
		const file = bodyFile(call).replace(/[\\"]/g, '\\$&');
		words.push('-F', quoted(`value=@"${file}"`));
		words.push('--form-string', quoted(`metadata=${JSON.stringify(body.metadata)}`));
	} else if (body) {
		const type = body.kind === 'bytes' ? 'application/octet-stream' : 'application/json';
		words.push('-H', quoted(`Content-Type: ${type}`), '--data-binary', quoted(`@${bodyFile(call)}`));
	}
	words.push(quoted(baseUrl + pathAndQuery(call)));
	return words.join(' ');
}

export function plannedCall(call: Call, baseUrl: string, credential: CredentialVariables): PlannedCall {
	return {
		method: call.method,
		url: baseUrl + pathAndQuery(call),
		...(call.body && {body: described(call)}),
		curl: curlLine(call, baseUrl, credential),
	};
}

function described(call: Call): NonNullable<PlannedCall['body']> {
	const {body} = call;
	const file = bodyFile(call);
	if (body?.kind === 'json') return {describes: 'JSON', file, content: JSON.stringify(body.value, null, 2)};
	if (body?.kind === 'list') {
		return {
			describes: `JSON, ${quantity(body.items.length, 'entry', 'entries')}, not shown: they may hold values of keys`,
			file,
		};
	}
	const bytes = body?.bytes.length ?? 0;
	const metadata = body?.kind === 'value' ? `, and metadata ${JSON.stringify(body.metadata)}` : '';
	return {describes: `the value, ${quantity(bytes, 'byte')}, not shown${metadata}`, file};
}

function bodyFile(call: Call): string {
	const {body} = call;
	if (body?.kind === 'json' || body?.kind === 'list') return 'body.json';
	return body?.file ?? 'value.bin';
}
