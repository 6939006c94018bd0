// Revokes the tokens of a session that has expired. Its trigger is of the event record.expired of `sessions`.
async function run() {
  const session = executionParams.recordId;
  const found = await api.queryRecords('tokens', { where: { 'data.session': { eq: session } } });
  for (const token of found.items) {
    await api.updateRecord(token.id, { revoked: true, by: triggerParams.by });
    console.log('revoked', token.data.name);
  }
  return { revoked: found.items.length };
}
