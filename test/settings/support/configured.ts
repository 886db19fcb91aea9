import {type Configuration, readConfiguration} from '../../../source/settings/configuration.ts';
import {folderWith} from './files.ts';

/** Reads the configuration of a new folder that contains only this file. */
export async function readTestConfiguration(
	name: string,
	content: string | Uint8Array,
	environment?: string,
): Promise<Configuration> {
	const configuration = await readConfiguration({
		cwd: folderWith({[name]: content}),
		environment: environment === undefined ? undefined : {value: environment, from: '--env'},
	});
	if (!configuration) throw new Error('The configuration was not found.');
	return configuration;
}
