import type {Configuration} from './configuration.ts';

/**
 * Lists the local namespaces of a configuration: the id and the preview id of each binding, or its name if it
 * has neither.
 */
export const listLocalIds = ({namespaces}: Configuration): string[] =>
	namespaces.flatMap(({binding, id, previewId}) => {
		const ids = [id, previewId].filter(one => one !== undefined);
		return ids.length > 0 ? ids : [binding];
	});
