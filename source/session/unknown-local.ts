import {dirname} from 'node:path';
import {Failure, type NamedCommand} from '../failure.ts';
import {listDatabaseFiles} from '../kv/local/inventory.ts';
import type {Configuration} from '../settings/configuration.ts';
import {findConfiguration} from '../settings/discovery.ts';
import {listLocalIds} from '../settings/local-ids.ts';
import {resolveLocalRoot} from '../settings/local-root.ts';
import {resolveEnvironmentName} from '../settings/settings.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {findClosestName, formatDidYouMean, formatNameList} from '../text/closest-name.ts';
import {formatPlainQuantity} from '../text/figures.ts';
import type {Session} from './session.ts';

/** Purpose of opening a local namespace without data. */
export type UnknownUse = {
	/** True if all of it is read: a mistyped name must not pass for an empty namespace. */
	readonly mustExist?: boolean | undefined;
	/** True if it is written: the write creates the namespace. */
	readonly createsNamespace?: boolean | undefined;
};

/**
 * Reports a local namespace without data that is not configured, usually a typo. Fails with
 * `namespace_not_found` if it must exist. A configured namespace is empty until written.
 */
export async function reportUnknownNamespace(
	session: Session,
	root: string,
	namespace: string,
	{mustExist, createsNamespace}: UnknownUse,
): Promise<void> {
	const configuration = await tryReadConfiguration(session);
	const ids = configuration ? listLocalIds(configuration) : [];
	if (ids.includes(namespace)) return;
	const databases = listDatabaseFiles(root, ids);
	const knownNames = databases.flatMap(({namespace: name}) => name ?? []);
	// Another process may have created it in the meantime.
	if (knownNames.includes(namespace)) return;
	const bindings = configuration?.namespaces.map(({binding}) => binding) ?? [];
	const names = [...knownNames, ...bindings, ...ids];
	const suggestion = formatDidYouMean(namespace, names);
	const quotedName = JSON.stringify(namespace);
	if (mustExist) {
		const unnamedCount = databases.length - knownNames.length;
		throw new Failure('namespace_not_found', `There is no local namespace ${quotedName} in ${root}.`, {
			why: describeExisting(knownNames, unnamedCount),
			next: buildAdvice`${suggestion}List what exists: \`${buildListCommand(session, root)}\``,
		});
	}
	const {warn, mention} = session.events;
	if (!createsNamespace)
		return mention?.(`There is no local namespace ${quotedName} in ${root}. ${suggestion}`.trimEnd());
	const sentence = `The local namespace ${quotedName} is new in ${root}. ${suggestion}`.trimEnd();
	if (findClosestName(namespace, names) === undefined) mention?.(sentence);
	else warn(sentence);
}

function describeExisting(names: readonly string[], unnamedCount: number): string {
	const unnamedNote =
		unnamedCount > 0 ? `${formatPlainQuantity(unnamedCount, 'namespace')} with an unknown id` : '';
	if (names.length === 0)
		return unnamedNote === '' ? 'It contains no local data yet.' : `It contains ${unnamedNote}.`;
	return `It contains ${formatNameList(names)}${unnamedNote === '' ? '' : `, and ${unnamedNote}`}.`;
}

function buildListCommand({cwd, options}: Session, root: string): NamedCommand {
	const configurationFile = findConfiguration(cwd, options.config)?.file;
	const defaultRoot = resolveLocalRoot({cwd, configurationFile}).value;
	return buildCommand('kv local check', ...(root === defaultRoot ? [] : ['--persist-to', dirname(root)]));
}

/**
 * Reads the configuration for suggestions only: an unreadable file is no failure, and warnings are dropped.
 */
async function tryReadConfiguration({cwd, options, variables}: Session): Promise<Configuration | undefined> {
	try {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const environment = resolveEnvironmentName({options, variables});
		return await readConfiguration({cwd, configurationPath: options.config, environment});
	} catch {
		return undefined;
	}
}
