import {escapeText} from '../text/safe-text.ts';
import type {CompletionPlace} from './line.ts';
import type {CompletionValues, ValueKind} from './tree.ts';

/** A candidate word and its description. */
type Offer = {
	readonly value: string;
	readonly about?: string | undefined;
	/** True if the word continues: no space follows. */
	readonly isOpen?: boolean;
};

/**
 * What a shell offers: words, or files or folders, which the shell completes itself. `isOpaque` marks words,
 * such as ids, that mean nothing to a person without their description.
 */
export type Offers =
	| {readonly kind: 'words'; readonly words: readonly Offer[]; readonly isOpaque?: boolean}
	| {readonly kind: 'files' | 'folders'};

/** A named resource from the last listing, or from a local file. */
export type NamedResource = {readonly id: string; readonly name: string};

/**
 * Candidates that are known on this machine, computed on demand. These functions never fail, and never call
 * the service.
 */
export type CompletionSources = {
	accounts(): Promise<readonly NamedResource[]>;
	bindings(): Promise<
		readonly {readonly binding: string; readonly id?: string | undefined; readonly hasPreview: boolean}[]
	>;
	contexts(): Promise<readonly string[]>;
	environments(): Promise<readonly string[]>;
	jobs(): Promise<readonly {readonly id: string; readonly about: string}[]>;
	/** Namespaces of the active account; with `simulated`, those of the simulated service. */
	namespaces(where?: 'simulated'): Promise<readonly NamedResource[]>;
	zones(): Promise<readonly NamedResource[]>;
	/**
	 * Entries of a folder that start with a partial path: `data/va` returns `data/values.json`; folders end
	 * in `/`.
	 */
	files(prefix: string): readonly string[];
};

const noOffers: Offers = {kind: 'words', words: []};

/** Returns the offers at a place that start with what was typed, in display order, without duplicates. */
export async function collectOffers(
	place: CompletionPlace | undefined,
	sources: CompletionSources,
): Promise<Offers> {
	if (!place) return noOffers;
	const candidates = await collectCandidates(place, sources);
	if (candidates.kind !== 'words') return candidates;
	const seenValues = new Set<string>();
	const words = candidates.words
		.filter(
			({value}) =>
				value.startsWith(place.typedText) &&
				isTypeable(value) &&
				!seenValues.has(value) &&
				seenValues.add(value),
		)
		.map(({value, about, isOpen}) => ({
			value: place.prefix + value,
			...(about !== undefined && {about: escapeText(about)}),
			...(isOpen && {isOpen}),
		}));
	return {...candidates, words};
}

/** True if the word is safe to type: no control characters. */
const isTypeable = (value: string): boolean => value !== '' && escapeText(value) === value;

async function collectCandidates(place: CompletionPlace, sources: CompletionSources): Promise<Offers> {
	switch (place.kind) {
		case 'commands':
			return toOffers(Object.entries(place.commands).map(([value, {summary}]) => ({value, about: summary})));
		case 'options':
			return toOffers(
				place.options.map(({names: [long = '', short], meaning}) => ({
					value: place.typedText === short ? short : long,
					about: meaning,
				})),
			);
		case 'value':
			return collectValueOffers(place.values, place.typedText, sources);
	}
}

const toOffers = (offers: readonly Offer[]): Offers => ({kind: 'words', words: offers});

async function collectValueOffers(
	values: CompletionValues,
	typed: string,
	sources: CompletionSources,
): Promise<Offers> {
	if (typeof values === 'string') return collectKindOffers(values, typed, sources);
	if (!('parts' in values)) return toOffers(values.map(value => ({value})));
	const completedParts = typed.slice(0, typed.lastIndexOf(',') + 1);
	const usedParts = new Set(completedParts.split(','));
	return toOffers(
		values.parts
			.filter(part => !usedParts.has(part))
			.map(part => ({value: completedParts + part, isOpen: true})),
	);
}

async function collectKindOffers(
	kind: ValueKind,
	typed: string,
	sources: CompletionSources,
): Promise<Offers> {
	switch (kind) {
		case 'account':
			return toIdOffers(await sources.accounts());
		case 'binding':
			return toOffers((await sources.bindings()).map(({binding, id}) => ({value: binding, about: id})));
		case 'context':
			return toOffers((await sources.contexts()).map(value => ({value})));
		case 'environment':
			return toOffers((await sources.environments()).map(value => ({value})));
		case 'file':
			return {kind: 'files'};
		case 'folder':
			return {kind: 'folders'};
		case 'job':
			return {
				...toOffers((await sources.jobs()).map(({id, about}) => ({value: id, about}))),
				isOpaque: true,
			} as Offers;
		case 'namespace id':
			return toIdOffers(await sources.namespaces());
		case 'store':
			return toOffers(await collectStoreOffers(typed, sources));
		case 'text':
			return noOffers;
		case 'title':
			return toOffers((await sources.namespaces()).map(({id, name}) => ({value: name, about: id})));
		case 'zone':
			return toOffers((await sources.zones()).map(({id, name}) => ({value: name, about: id})));
		case 'zone id':
			return toIdOffers(await sources.zones());
	}
}

const toIdOffers = (resources: readonly NamedResource[]): Offers => ({
	kind: 'words',
	words: resources.map(({id, name}) => ({value: id, about: name})),
	isOpaque: true,
});

const storeKinds: readonly Offer[] = [
	{value: 'remote:', about: 'binding, title or id, on the service', isOpen: true},
	{value: 'preview:', about: 'binding with a preview namespace', isOpen: true},
	{value: 'local:', about: 'binding or id, in local data', isOpen: true},
	{value: 'simulated:', about: 'title or id, on the simulated service', isOpen: true},
	{value: 'file:', about: 'path of an export', isOpen: true},
];

async function collectStoreOffers(typed: string, sources: CompletionSources): Promise<readonly Offer[]> {
	const kind = /^[a-z]+:/.exec(typed)?.[0];
	const toTitleOffers = (resources: readonly NamedResource[]) =>
		resources.map(({id, name}) => ({value: `${kind}${name}`, about: id}));
	const listBindings = async () =>
		(await sources.bindings()).map(binding => ({...binding, value: `${kind}${binding.binding}`}));
	switch (kind) {
		case undefined:
			return storeKinds;
		case 'remote:':
			return [
				...(await listBindings()).map(({value, id}) => ({value, about: id})),
				...toTitleOffers(await sources.namespaces()),
				...(await sources.contexts()).map(name => ({value: `${kind}${name}/`, isOpen: true})),
			];
		case 'preview:':
			return (await listBindings()).filter(({hasPreview}) => hasPreview).map(({value}) => ({value}));
		case 'local:':
			return (await listBindings()).map(({value, id}) => ({value, about: id}));
		case 'simulated:':
			return toTitleOffers(await sources.namespaces('simulated'));
		case 'file:':
			return sources
				.files(typed.slice(kind.length))
				.map(path => ({value: `${kind}${path}`, isOpen: path.endsWith('/')}));
		default:
			return [];
	}
}
