import {dirname} from 'node:path';
import {Failure, type NamedCommand} from '../failure.ts';
import {databaseFiles} from '../kv/local/inventory.ts';
import type {Configuration} from '../settings/configuration.ts';
import {findConfiguration} from '../settings/discovery.ts';
import {localIds} from '../settings/local-ids.ts';
import {localRoot} from '../settings/local-root.ts';
import {environmentName} from '../settings/settings.ts';
import {advice, ledge} from '../text/advice.ts';
import {closestName, didYouMean, listed} from '../text/closest-name.ts';
import {quantity} from '../text/figures.ts';
import type {Session} from './session.ts';

/** Purpose of opening a local namespace without data. */
export type UnknownUse = {
	/** Read whole: a mistyped name must not pass for an empty namespace. */
	readonly mustExist?: boolean | undefined;
	/** Written: the write creates it. */
	readonly creates?: boolean | undefined;
};

/**
 * Reports a local namespace without data that is not configured, usually a typo. Fails with
 * `namespace_not_found` if it must exist. A configured namespace is empty until written.
 */
export async function reportUnknown(
	session: Session,
	root: string,
	namespace: string,
	{mustExist, creates}: UnknownUse,
): Promise<void> {
	const configuration = await configurationIfReadable(session);
	const ids = configuration ? localIds(configuration) : [];
	if (ids.includes(namespace)) return;
	const databases = databaseFiles(root, ids);
	const existing = databases.flatMap(({namespace: name}) => name ?? []);
	// Another process may have created it in the meantime.
	if (existing.includes(namespace)) return;
	const bindings = configuration?.namespaces.map(({binding}) => binding) ?? [];
	const names = [...existing, ...bindings, ...ids];
	const meant = didYouMean(namespace, names);
	const shown = JSON.stringify(namespace);
	if (mustExist) {
		const unnamed = databases.length - existing.length;
		throw new Failure('namespace_not_found', `There is no local namespace ${shown} in ${root}.`, {
			why: existingWords(existing, unnamed),
			next: advice`${meant}List what exists: \`${listing(session, root)}\``,
		});
	}
	const {warn, mention} = session.events;
	if (!creates) return mention?.(`There is no local namespace ${shown} in ${root}. ${meant}`.trimEnd());
	const sentence = `The local namespace ${shown} is new in ${root}. ${meant}`.trimEnd();
	if (closestName(namespace, names) === undefined) mention?.(sentence);
	else warn(sentence);
}

function existingWords(names: readonly string[], unnamed: number): string {
	const others = unnamed > 0 ? `${quantity(unnamed, 'namespace')} whose id is not known` : '';
	if (names.length === 0) return others === '' ? 'It holds no local data yet.' : `It holds ${others}.`;
	return `It holds ${listed(names)}${others === '' ? '' : `, and ${others}`}.`;
}

function listing({cwd, options}: Session, root: string): NamedCommand {
	const configurationFile = findConfiguration(cwd, options.config)?.file;
	const usual = localRoot({cwd, configurationFile}).value;
	return ledge('kv local check', ...(root === usual ? [] : ['--persist-to', dirname(root)]));
}

/**
 * Reads the configuration for suggestions only: an unreadable file is no failure, and warnings are dropped.
 */
async function configurationIfReadable({
	cwd,
	options,
	variables,
}: Session): Promise<Configuration | undefined> {
	try {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const environment = environmentName({options, variables});
		return await readConfiguration({cwd, named: options.config, environment});
	} catch {
		return undefined;
	}
}
