import type {BindingPlace, WorkerMode} from '../../settings/binding-places.ts';
import {buildCommand} from '../../text/advice.ts';
import {formatNameList} from '../../text/closest-name.ts';
import {formatQuantity} from '../../text/figures.ts';

/** A place of a binding, and what is there. */
export type FoundPlace = BindingPlace & {
	/** Undefined for the top level. */
	readonly environment: string | undefined;
	/** File and line that declare the binding. */
	readonly declaredAt: string;
	/** Title at the service; undefined in local data, or if it was not read. */
	readonly title: string | undefined;
	/** False if the account has no such namespace; undefined if it was not read. */
	readonly exists: boolean | undefined;
	/** Number of keys; undefined if it was not read. */
	readonly keys: number | undefined;
	/** True if `keys` is a lower bound. */
	readonly hasMore: boolean;
};

/** Explains where a Worker reads another namespace than one might expect, for one environment. */
export function explainPlaces(places: readonly FoundPlace[]): readonly string[] {
	const [first] = places;
	if (!first) return [];
	const prefix = first.environment === undefined ? '' : `Environment ${JSON.stringify(first.environment)}: `;
	const findReadPlace = (mode: WorkerMode) => places.find(({readBy}) => readBy.includes(mode));
	const [deployed, dev] = [findReadPlace('deployed'), findReadPlace('dev')];
	const missingIds = places.filter(({exists}) => exists === false).map(({id}) => id);
	return [
		...(missingIds.length > 0 ? [`This account has no namespace ${formatNameList(missingIds)}.`] : []),
		...(deployed ? [] : ['There is no id: the namespace of the deployed Worker is not in this file.']),
		...(deployed && dev && deployed.id !== dev.id
			? ['`wrangler dev` uses the preview_id, so it does not see what the deployed Worker reads.']
			: []),
		...explainEmptyDev(places, dev, deployed),
		...(findReadPlace('dev --remote')
			? []
			: ['`wrangler dev --remote` refuses this binding: it needs a preview_id.']),
	].map(note => prefix + note);
}

/** Explains why `wrangler dev` reads nothing, and how to fill what it reads. */
function explainEmptyDev(
	places: readonly FoundPlace[],
	dev: FoundPlace | undefined,
	deployed: FoundPlace | undefined,
): readonly string[] {
	if (dev?.where !== 'local' || dev.keys !== 0) return [];
	const otherLocal = places.find(place => place.where === 'local' && place !== dev && hasKeys(place));
	const source = otherLocal ?? (deployed && hasKeys(deployed) ? deployed : undefined);
	if (!source) return ['`wrangler dev` reads local data, which is empty.'];
	const sourceStore = `${source.where === 'local' ? 'local' : 'remote'}:${source.id}`;
	const command = buildCommand('kv copy', sourceStore, `local:${dev.id}`);
	const contents = `${formatKeyCount(source)} ${source.keys === 1 && !source.hasMore ? 'key' : 'keys'}`;
	const sourceLabel =
		source.where === 'local' ? `The local data of the ${source.entry}` : 'The deployed namespace';
	return [
		`\`wrangler dev\` reads the local data of the ${dev.entry}, which is empty. ${sourceLabel} has ${contents}; to copy them: ${command}`,
	];
}

const hasKeys = ({keys}: FoundPlace): boolean => keys !== undefined && keys > 0;

/** Formats a number of keys; `10+` if there are more, `–` if unknown. */
export const formatKeyCount = ({keys, hasMore}: Pick<FoundPlace, 'keys' | 'hasMore'>): string =>
	keys === undefined ? '–' : `${keys}${hasMore ? '+' : ''}`;

/** Explains which environments lack the binding. */
export function explainMissingEnvironments(binding: string, names: readonly string[]): readonly string[] {
	if (names.length === 0) return [];
	return [
		`${formatQuantity(names.length, 'environment')} without the binding ${binding}, which is not inherited from the top level: ${formatNameList(names)}.`,
	];
}
