import {Failure} from '../../failure.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';

/** A store as named on the command line. */
export type StoreName =
	| {readonly kind: 'remote'; readonly name: string}
	| {readonly kind: 'preview'; readonly binding: string}
	| {readonly kind: 'local'; readonly name: string; readonly folder: string | undefined}
	| {readonly kind: 'simulated'; readonly name: string}
	| {readonly kind: 'file'; readonly path: string};

/** Forms of store names, for help and failures. */
export const storeForms = [
	'remote:[CONTEXT/]BINDING|ID|TITLE',
	'preview:BINDING',
	'local:BINDING|ID[@FOLDER]',
	'simulated:TITLE|ID',
	'file:PATH',
] as const;

/** Parses the name of a store. Fails with `usage`. */
export function parseStoreName(text: string): StoreName {
	const colon = text.indexOf(':');
	const [kind, rest] = [text.slice(0, colon), text.slice(colon + 1)];
	if (colon === -1 || rest === '') throw createStoreNameFailure(text);
	switch (kind) {
		case 'remote':
		case 'simulated':
			return {kind, name: rest};
		case 'preview':
			return {kind, binding: rest};
		case 'file':
			return {kind, path: rest};
		case 'local': {
			const atIndex = rest.indexOf('@');
			const name = atIndex === -1 ? rest : rest.slice(0, atIndex);
			const folder = atIndex === -1 ? undefined : rest.slice(atIndex + 1);
			if (name === '' || folder === '') throw createStoreNameFailure(text);
			return {kind, name, folder};
		}
		default:
			throw createStoreNameFailure(text);
	}
}

const createStoreNameFailure = (text: string): Failure =>
	new Failure('usage', `${JSON.stringify(text)} is not a valid store.`, {
		why: `Write a store as one of\n${storeForms.join('\n')}`,
		next: buildAdvice`For example \`${buildCommand('kv diff remote:SESSIONS local:SESSIONS')}\`.`,
	});
