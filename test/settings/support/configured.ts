import {type Configuration, readConfiguration} from '../../../source/settings/configuration.ts';
import {folderWith} from './files.ts';

/** The configuration of a folder that holds this one file. */
export async function configured(
	name: string,
	content: string | Uint8Array,
	environment?: string,
): Promise<Configuration> {
	const found = await readConfiguration({
		cwd: folderWith({[name]: content}),
		environment: environment === undefined ? undefined : {value: environment, from: '--env'},
	});
	if (!found) throw new Error('The configuration was not found.');
	return found;
}
