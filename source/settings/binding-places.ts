import type {NamespaceBinding} from './configuration.ts';

/** How a Worker runs: deployed, or in `wrangler dev` with local data or with `--remote`. */
export type WorkerMode = 'deployed' | 'dev' | 'dev --remote';

/** A namespace that a binding means, at the service or in local data. */
export type BindingPlace = {
	readonly where: 'service' | 'local';
	/** The property that names it; `binding`: none does, so that the binding is the local id. */
	readonly entry: 'id' | 'preview_id' | 'binding';
	readonly id: string;
	/** The modes in which a Worker reads it. */
	readonly readBy: readonly WorkerMode[];
};

/**
 * Lists the namespaces that a binding means, as wrangler chooses them: a deployed Worker reads the id.
 * `wrangler dev` reads local data of the preview id, else of the id, else of the binding; with `remote` that
 * namespace of the service. `wrangler dev --remote` reads the preview id, and refuses to start without one.
 */
export function listBindingPlaces({
	binding,
	id,
	previewId,
	remote: isRemote = false,
}: NamespaceBinding): readonly BindingPlace[] {
	const devId = previewId ?? id ?? binding;
	const entries = [
		...(id === undefined ? [] : [{entry: 'id' as const, id}]),
		...(previewId === undefined || previewId === id ? [] : [{entry: 'preview_id' as const, id: previewId}]),
	];
	const servicePlaces = entries.map(
		(named): BindingPlace => ({
			...named,
			where: 'service',
			readBy: [
				...(named.id === id ? (['deployed'] as const) : []),
				...(isRemote && named.id === devId ? (['dev'] as const) : []),
				...(named.id === previewId ? (['dev --remote'] as const) : []),
			],
		}),
	);
	const localEntries = entries.length > 0 ? entries : [{entry: 'binding' as const, id: binding}];
	const localPlaces = localEntries.map(
		(named): BindingPlace => ({
			...named,
			where: 'local',
			readBy: !isRemote && named.id === devId ? ['dev'] : [],
		}),
	);
	return [...servicePlaces, ...localPlaces];
}
