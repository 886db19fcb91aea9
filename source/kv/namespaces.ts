import {Failure, isFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {isRecord} from '../service/envelope.ts';
import {pagedItems} from '../service/paging.ts';
import {pathSegment} from '../service/path-segment.ts';
import {text} from '../service/reading.ts';
import {advice, ledge} from '../text/advice.ts';
import {didYouMean} from '../text/closest-name.ts';
import {limits} from './limits.ts';

export type Namespace = {readonly id: string; readonly title: string};

const collection = (account: string): string =>
	`/accounts/${encodeURIComponent(account)}/storage/kv/namespaces`;

/** Builds the path of a namespace, relative to the base URL. */
export const namespacePath = (account: string, id: string): string =>
	`${collection(account)}/${pathSegment(id, 'a namespace of the service', ledge('kv namespace list'))}`;

const readNamespace = (item: Readonly<Record<string, unknown>>): Namespace => ({
	id: text(item, 'id', 'a namespace'),
	title: text(item, 'title', 'a namespace'),
});

/** Lists the namespaces of an account by title, 100 per page, as pages arrive. */
export const namespaces = (client: Client, account: string, signal: AbortSignal): AsyncGenerator<Namespace> =>
	pagedItems(
		client,
		{
			path: collection(account),
			query: {order: 'title', direction: 'asc'},
			perPage: 100,
			one: 'a namespace',
			read: readNamespace,
		},
		signal,
	);

export async function namespaceById(
	client: Client,
	account: string,
	id: string,
	signal: AbortSignal,
): Promise<Namespace> {
	const {result} = await client.call(
		{method: 'GET', path: namespacePath(account, id), repeat: 'always', writes: false},
		signal,
	);
	return readNamespace(isRecord(result) ? result : {});
}

/**
 * Returns the namespace with a title; titles are unique within an account. Fails with `namespace_not_found`.
 */
export async function namespaceByTitle(
	client: Client,
	account: string,
	title: string,
	signal: AbortSignal,
): Promise<Namespace> {
	const titles: string[] = [];
	for await (const namespace of namespaces(client, account, signal)) {
		if (namespace.title === title) return namespace;
		titles.push(namespace.title);
	}
	throw new Failure('namespace_not_found', `No namespace has the title "${title}".`, {
		next: advice`${didYouMean(title, titles)}See \`${ledge('kv namespace list')}\` for all titles.`,
	});
}

/** Builds the title of a new namespace: `<name in the configuration, or "worker">[-env]-NAME[_preview]`. */
export function namespaceTitle(
	name: string,
	made: {
		readonly worker?: string | undefined;
		readonly environment?: string | undefined;
		readonly preview: boolean;
		readonly prefix: boolean;
	},
): string {
	const prefix = made.prefix
		? [made.worker ?? 'worker', ...(made.environment ? [made.environment] : [])]
		: [];
	return [...prefix, name].join('-') + (made.preview ? '_preview' : '');
}

/** Returns the title unchanged, or fails with `limit`: it has 1 to 512 characters. */
export function checkTitle(title: string): string {
	if (title === '' || title.length > limits.titleCharacters) {
		throw new Failure('limit', title === '' ? 'The title is empty.' : 'The title is too long.', {
			why: `A title has 1 to ${limits.titleCharacters} characters; this one has ${title.length}.`,
		});
	}
	return title;
}

/** Creates a namespace. Never retried automatically, because a retry could create a second one. */
export async function createNamespace(
	client: Client,
	account: string,
	title: string,
	signal: AbortSignal,
): Promise<Namespace> {
	try {
		const {result} = await client.call(
			{
				method: 'POST',
				path: collection(account),
				body: {kind: 'json', value: {title: checkTitle(title)}},
				repeat: 'never',
				writes: true,
				pretend: {id: '<id from step 1>', title},
			},
			signal,
		);
		return readNamespace(isRecord(result) ? result : {});
	} catch (error) {
		if (!isFailure(error, 'already_exists')) throw error;
		throw new Failure('already_exists', `A namespace with the title "${title}" exists already.`, {
			...error.details,
			next: advice`Choose another name, or use the namespace there is: \`${ledge('kv namespace list')}\`.`,
		});
	}
}

/**
 * Renames a namespace; never retried automatically. Older deployments return no namespace, so the answer is
 * not read.
 */
export async function renameNamespace(
	client: Client,
	account: string,
	id: string,
	title: string,
	signal: AbortSignal,
): Promise<Namespace> {
	await client.call(
		{
			method: 'PUT',
			path: namespacePath(account, id),
			body: {kind: 'json', value: {title: checkTitle(title)}},
			repeat: 'never',
			writes: true,
		},
		signal,
	);
	return {id, title};
}

/** Deletes a namespace with all its keys; never retried automatically. */
export async function deleteNamespace(
	client: Client,
	account: string,
	id: string,
	signal: AbortSignal,
): Promise<void> {
	await client.call(
		{method: 'DELETE', path: namespacePath(account, id), repeat: 'never', writes: true},
		signal,
	);
}
