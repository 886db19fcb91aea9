import {Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {formatDidYouMean, formatNameList} from '../text/closest-name.ts';
import type {Configuration, NamespaceBinding} from './configuration.ts';
import {configurationNames, findUnreadConfiguration, formatPath} from './discovery.ts';
import type {Target} from './target.ts';

/** Namespace options. `preview: false` means not given. */
export type NamespaceSelection = {
	readonly binding?: string | undefined;
	readonly namespaceId?: string | undefined;
	readonly preview?: boolean | undefined;
};

export type NamespaceChoice = {
	readonly id: string;
	readonly binding?: string;
	readonly preview: boolean;
	/** `--namespace-id`, or file and line of the binding. */
	readonly from: string;
};

/**
 * Chooses the namespace: exactly one of `--binding` and `--namespace-id`. A binding means its `id`, with
 * `--preview` its `preview_id`, never the other one. A binding with neither is a local namespace of that
 * name, as with wrangler. Reads the configuration only for a binding. Fails with `usage` or
 * `binding_unknown`.
 */
export async function chooseNamespace(
	selection: NamespaceSelection,
	context: {
		readonly target: Target;
		/** Folder where the search for a configuration began, for messages. */
		readonly cwd: string;
		readonly configuration: () => Promise<Configuration | undefined>;
	},
): Promise<NamespaceChoice> {
	const {binding, namespaceId, preview = false} = selection;
	if (binding !== undefined && namespaceId !== undefined) {
		throw new Failure('usage', '--binding and --namespace-id cannot be used together.', {
			why: exclusiveRule,
			next: 'Leave one of them out.',
		});
	}
	if (namespaceId !== undefined) return chooseById(namespaceId, preview);
	if (binding === undefined) {
		throw new Failure('usage', 'No namespace was specified.', {
			why: exclusiveRule,
			next: 'Add --binding NAME (a binding in the configuration file) or --namespace-id ID; --namespace takes either, or a title.',
		});
	}
	if (binding === '') {
		throw new Failure('usage', '--binding is empty.', {
			why: exclusiveRule,
			next: 'Specify the name of a binding.',
		});
	}
	const configuration = await context.configuration();
	if (!configuration) throw createNoConfigurationFailure(binding, context.cwd);
	return chooseByBinding(configuration, requireBinding(configuration, binding), preview, context.target);
}

const exclusiveRule =
	'A command that works on a namespace takes exactly one of --binding and --namespace-id.';

function chooseById(id: string, preview: boolean): NamespaceChoice {
	if (id === '') {
		throw new Failure('usage', '--namespace-id is empty.', {
			why: 'The id of a namespace has at least one character.',
			next: buildAdvice`Specify the id; \`${buildCommand('kv namespace list')}\` lists them all.`,
		});
	}
	if (preview) {
		throw new Failure('usage', '--preview cannot be used with --namespace-id.', {
			why: 'The id alone selects the namespace; --preview chooses between the two ids of a binding.',
			next: 'Leave out --preview, or select the namespace with --binding.',
		});
	}
	return {id, preview: false, from: '--namespace-id'};
}

function requireBinding(configuration: Configuration, name: string): NamespaceBinding {
	const match = configuration.namespaces.find(({binding}) => binding === name);
	if (match) return match;
	const names = configuration.namespaces.map(({binding}) => binding);
	const fileLabel = formatConfigurationLabel(configuration);
	throw new Failure('binding_unknown', `There is no binding "${name}" in ${fileLabel}.`, {
		why:
			names.length === 0
				? `No KV namespaces are configured in ${fileLabel}.`
				: `The bindings there are ${formatNameList(names)}.`,
		next: `${formatDidYouMean(name, names)}${formatNextStep(configuration)}`,
	});
}

function formatNextStep({environments, environment}: Configuration): string {
	const otherEnvironments = environments.filter(name => name !== environment);
	return otherEnvironments.length === 0
		? 'Use a binding from the file, or use --namespace-id.'
		: `Use a binding from the file, choose another environment with --env (${formatNameList(otherEnvironments)}), or use --namespace-id.`;
}

function chooseByBinding(
	configuration: Configuration,
	{binding, id, previewId, line}: NamespaceBinding,
	preview: boolean,
	target: Target,
): NamespaceChoice {
	const source = `${configuration.shownAs}:${line}`;
	if (preview) {
		if (previewId !== undefined) return {id: previewId, binding, preview, from: source};
		throw new Failure('binding_unknown', `The binding "${binding}" has no preview namespace.`, {
			why: `There is no "preview_id" in ${source}.`,
			next: `Add a "preview_id" there, or leave out --preview.`,
		});
	}
	if (id !== undefined) return {id, binding, preview, from: source};
	if (previewId !== undefined) {
		throw new Failure('binding_unknown', `The binding "${binding}" only has a preview namespace.`, {
			why: `${source} has a "preview_id" but no "id"; without --preview, the "id" is used.`,
			next: 'Add --preview to work on the preview namespace, or an "id" to the file.',
		});
	}
	if (target === 'local') return {id: binding, binding, preview, from: source};
	throw new Failure('binding_unknown', `The binding "${binding}" names no deployed namespace.`, {
		why: `${source} has neither "id" nor "preview_id", which only works for local data.`,
		next: buildAdvice`Add the "id" of the namespace there (\`${buildCommand('kv namespace list')}\` shows them), or use --namespace-id, or --local.`,
	});
}

function createNoConfigurationFailure(binding: string, cwd: string): Failure {
	const unreadFile = findUnreadConfiguration(cwd);
	return new Failure(
		'binding_unknown',
		`There is no configuration file to look up the binding "${binding}" in.`,
		{
			why: [
				`Looked for ${configurationNames.join(', ')} in ${cwd} and its parent folders.`,
				...(unreadFile === undefined
					? []
					: [
							`${formatPath(unreadFile, cwd)} exists, but ledge does not evaluate it, so its bindings and accountId are ignored.`,
						]),
			].join('\n'),
			next:
				unreadFile === undefined
					? 'Go to the project, specify the file with --config, or use --namespace-id.'
					: buildAdvice`Use --namespace-id (\`${buildCommand('kv namespace list')}\` shows the ids), or the title in a store: remote:TITLE.`,
		},
	);
}

function formatConfigurationLabel({shownAs, environment}: Configuration): string {
	return environment === undefined ? shownAs : `${shownAs}, environment "${environment}"`;
}
