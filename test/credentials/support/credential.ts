import {chooseCredential} from '../../../source/credentials/choice.ts';
import type {Credential} from '../../../source/credentials/credential.ts';
import {
	type CredentialSource,
	createCredentialSource,
	type SourceOptions,
} from '../../../source/credentials/source.ts';
import type {Machine} from '../../../source/credentials/wrangler-folder.ts';
import type {SettingSources} from '../../../source/settings/settings.ts';

/**
 * Creates the source of credentials for these settings, on a machine without wrangler unless `PATH` is given.
 */
export async function createTestCredentialSource(
	sources: SettingSources,
	machine: Machine,
	options: Partial<SourceOptions> = {},
): Promise<CredentialSource> {
	const choice = await chooseCredential(sources, machine);
	return createCredentialSource(choice, {
		...machine,
		env: {PATH: ''},
		startFolder: '/nowhere',
		notice() {},
		onStderr() {},
		lendTerminal: work => work(false),
		...options,
	});
}

/** The active credential for these settings. */
export const getTestCredential = async (
	sources: SettingSources,
	machine: Machine = {},
): Promise<Credential> => (await createTestCredentialSource(sources, machine)).current();
