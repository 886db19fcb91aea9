import {formatPlainQuantity} from '../text/figures.ts';
import {quoteShellWord} from '../text/shell-word.ts';
import {buildCallPath, type Call, type PlannedCall} from './call.ts';

export {quoteShellWord};

/** Header lines of a credential for a `curl` line: names of variables, never their content. */
export type CredentialVariables = readonly {readonly header: string; readonly variable: string}[];

/**
 * Formats a call as a `curl` command: credentials as shell variables, the body as a file. Contains no values
 * of keys.
 */
export function formatCurlLine(call: Call, baseUrl: string, credential: CredentialVariables): string {
	const commandWords = ['curl', '-sS'];
	if (call.method !== 'GET') commandWords.push('-X', call.method);
	for (const {header, variable} of credential) commandWords.push('-H', `"${header}${variable}"`);
	const {body} = call;
	if (body?.kind === 'value') {
		// Quoted, curl does not interpret `;` or `,` in a file name; `--form-string` keeps metadata literal.
		const file = getBodyFile(call).replace(/[\\"]/g, '\\$&');
		commandWords.push('-F', quoteShellWord(`value=@"${file}"`));
		commandWords.push('--form-string', quoteShellWord(`metadata=${JSON.stringify(body.metadata)}`));
	} else if (body) {
		const type = body.kind === 'bytes' ? 'application/octet-stream' : 'application/json';
		commandWords.push(
			'-H',
			quoteShellWord(`Content-Type: ${type}`),
			'--data-binary',
			quoteShellWord(`@${getBodyFile(call)}`),
		);
	}
	commandWords.push(quoteShellWord(baseUrl + buildCallPath(call)));
	return commandWords.join(' ');
}

export function buildPlannedCall(call: Call, baseUrl: string, credential: CredentialVariables): PlannedCall {
	return {
		method: call.method,
		url: baseUrl + buildCallPath(call),
		...(call.body && {body: describeBody(call)}),
		curl: formatCurlLine(call, baseUrl, credential),
	};
}

function describeBody(call: Call): NonNullable<PlannedCall['body']> {
	const {body} = call;
	const file = getBodyFile(call);
	if (body?.kind === 'json') return {describes: 'JSON', file, content: JSON.stringify(body.value, null, 2)};
	if (body?.kind === 'list') {
		return {
			describes: `JSON, ${formatPlainQuantity(body.items.length, 'entry', 'entries')}, not shown: they may contain values`,
			file,
		};
	}
	const bytes = body?.bytes.length ?? 0;
	const metadata = body?.kind === 'value' ? `, and metadata ${JSON.stringify(body.metadata)}` : '';
	return {describes: `the value, ${formatPlainQuantity(bytes, 'byte')}, not shown${metadata}`, file};
}

function getBodyFile(call: Call): string {
	const {body} = call;
	if (body?.kind === 'json' || body?.kind === 'list') return 'body.json';
	return body?.file ?? 'value.bin';
}
