/** True if the locale is UTF-8 or unset, and the terminal is not the Linux console. */
export function supportsUtf8(env: NodeJS.ProcessEnv): boolean {
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
	return env.TERM !== 'linux' && (!locale || /utf-?8/i.test(locale));
}
