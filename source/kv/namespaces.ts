import {Failure, isFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {listPagedItems} from '../service/paging.ts';
import {encodePathSegment} from '../service/path-segment.ts';
import {readOptionalText, requireText} from '../service/response-fields.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {formatDidYouMean} from '../text/closest-name.ts';
import {isJsonObject} from '../text/json.ts';
import type {Jurisdiction} from './jurisdiction.ts';
import {limits} from './limits.ts';

/** A namespace as the service describes it, with the names of its fields, which `--json` prints. */
export type Namespace = {
	readonly id: string;
	readonly title: string;
	/** Where its durable storage is kept; undefined for no restriction. Later services may know others. */
	readonly jurisdiction?: string;
	/** True if keys in a URL are decoded; undefined if the service does not say. */
	readonly supports_url_encoding?: boolean;
};

/** Builds the path of an account's namespaces, relative to the base URL. */
export const buildNamespacesPath = (account: string): string =>
	`/accounts/${encodeURIComponent(account)}/storage/kv/namespaces`;

/** Builds the path of a namespace, relative to the base URL. */
export const buildNamespacePath = (account: string, id: string): string =>
	`${buildNamespacesPath(account)}/${encodePathSegment(id, 'a namespace of the service', buildCommand('kv namespace list'))}`;

function parseNamespace(item: Readonly<Record<string, unknown>>): Namespace {
	const jurisdiction = readOptionalText(item, 'jurisdiction');
	return {
		id: requireText(item, 'id', 'a namespace'),
		title: requireText(item, 'title', 'a namespace'),
		...(jurisdiction && {jurisdiction}),
		...(typeof item.supports_url_encoding === 'boolean' && {
			supports_url_encoding: item.supports_url_encoding,
		}),
	};
}

/** Lists the namespaces of an account by title, 100 per page, as pages arrive. */
export const listKvNamespaces = (
	client: Client,
	account: string,
	signal: AbortSignal,
): AsyncGenerator<Namespace> =>
	listPagedItems(
		client,
		{
			path: buildNamespacesPath(account),
			query: {order: 'title', direction: 'asc'},
			perPage: 100,
			itemNoun: 'a namespace',
			read: parseNamespace,
		},
		signal,
	);

export async function getNamespaceById(
	client: Client,
	account: string,
	id: string,
	signal: AbortSignal,
): Promise<Namespace> {
	const {result} = await client.call(
		{method: 'GET', path: buildNamespacePath(account, id), repeat: 'always', writes: false},
		signal,
	);
	return parseNamespace(isJsonObject(result) ? result : {});
}

/**
 * Returns the namespace with a title; titles are unique within an account. Fails with `namespace_not_found`.
 */
export async function getNamespaceByTitle(
	client: Client,
	account: string,
	title: string,
	signal: AbortSignal,
): Promise<Namespace> {
	const titles: string[] = [];
	for await (const namespace of listKvNamespaces(client, account, signal)) {
		if (namespace.title === title) return namespace;
		titles.push(namespace.title);
	}
	throw new Failure('namespace_not_found', `No namespace has the title "${title}".`, {
		next: buildAdvice`${formatDidYouMean(title, titles)}See \`${buildCommand('kv namespace list')}\` for all titles.`,
	});
}

/** Builds the title of a new namespace: `<name in the configuration, or "worker">[-env]-NAME[_preview]`. */
export function buildNamespaceTitle(
	name: string,
	options: {
		readonly worker?: string | undefined;
		readonly environment?: string | undefined;
		readonly isPreview: boolean;
		readonly usesPrefix: boolean;
	},
): string {
	const prefixParts = options.usesPrefix
		? [options.worker ?? 'worker', ...(options.environment ? [options.environment] : [])]
		: [];
	return [...prefixParts, name].join('-') + (options.isPreview ? '_preview' : '');
}

/** Returns the title unchanged, or fails with `limit`: it has 1 to 512 characters. */
export function checkNamespaceTitle(title: string): string {
	const length = [...title].length;
	if (title === '' || length > limits.titleCharacters) {
		throw new Failure('limit', title === '' ? 'The title is empty.' : 'The title is too long.', {
			why: `A title has 1 to ${limits.titleCharacters} characters; this one has ${length}.`,
		});
	}
	return title;
}

/** Creates a namespace. Never retried automatically, because a retry could create a second one. */
export async function createNamespace(
	client: Client,
	account: string,
	{title, jurisdiction}: {readonly title: string; readonly jurisdiction?: Jurisdiction | undefined},
	signal: AbortSignal,
): Promise<Namespace> {
	try {
		const {result} = await client.call(
			{
				method: 'POST',
				path: buildNamespacesPath(account),
				body: {
					kind: 'json',
					value: {title: checkNamespaceTitle(title), ...(jurisdiction && {jurisdiction})},
				},
				repeat: 'never',
				writes: true,
				dryRunResult: {id: '<id from step 1>', title, ...(jurisdiction && {jurisdiction})},
			},
			signal,
		);
		return parseNamespace(isJsonObject(result) ? result : {});
	} catch (error) {
		if (!isFailure(error, 'already_exists')) throw error;
		throw new Failure('already_exists', `A namespace with the title "${title}" already exists.`, {
			...error.details,
			next: buildAdvice`Choose another name, or use the existing namespace: \`${buildCommand('kv namespace list')}\`.`,
		});
	}
}

/**
 * Renames a namespace; never retried automatically. Older deployments return no namespace, so the response is
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
			path: buildNamespacePath(account, id),
			body: {kind: 'json', value: {title: checkNamespaceTitle(title)}},
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
		{method: 'DELETE', path: buildNamespacePath(account, id), repeat: 'never', writes: true},
		signal,
	);
}
