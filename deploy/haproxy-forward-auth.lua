-- Checks a call with paylink-auth and sets the fields that describe the caller. See haproxy-forward-auth.cfg.
local CHECK = 'http://127.0.0.1:3000/api/v1/auth/check'
local CHECK_FIELDS = { 'authorization', 'x-currency', 'x-request-id' }
local IDENTITY_FIELDS = { 'x-user-id', 'x-user-role', 'x-api-key-id', 'x-api-key-scopes', 'x-account-claimed', 'x-currency', 'x-request-id' }
local REFUSAL_FIELDS = { 'content-type', 'www-authenticate', 'cache-control', 'x-request-id' }
local UNAVAILABLE = '{"error":{"message":"The service cannot be reached. Try again shortly.","code":"UNAVAILABLE"}}'

local function refuse(txn, status, headers, body)
  local reply = txn:reply({ status = status, body = body })
  for name, value in pairs(headers) do reply:add_header(name, value) end
  txn:done(reply)
end

core.register_action('paylink_auth', { 'http-req' }, function(txn)
  local call_headers = txn.http:req_get_headers()
  local check_headers = { ['x-forwarded-for'] = { txn.f:src() } }
  -- Repeated fields are passed on as repeated: paylink-auth refuses two tokens.
  for _, name in ipairs(CHECK_FIELDS) do
    for _, value in pairs(call_headers[name] or {}) do
      check_headers[name] = check_headers[name] or {}
      table.insert(check_headers[name], value)
    end
  end

  -- Without a scope, tokens of keys with restricted scopes are refused (docs/gateways.md).
  local scope = txn:get_var('txn.paylink_scope')
  local url = scope and CHECK .. '?scope=' .. scope or CHECK
  local answer = core.httpclient():get({ url = url, headers = check_headers, timeout = 5000 })
  local function field(name) return answer.headers and answer.headers[name] and answer.headers[name][0] end

  if answer.status == 200 and field('x-user-id') then
    for _, name in ipairs(IDENTITY_FIELDS) do
      txn.http:req_del_header(name)
      if field(name) then txn.http:req_add_header(name, field(name)) end
    end
  elseif answer.status == 400 or answer.status == 401 or answer.status == 403 then
    local headers = {}
    for _, name in ipairs(REFUSAL_FIELDS) do headers[name] = field(name) end
    refuse(txn, answer.status, headers, answer.body)
  else
    refuse(txn, 503, { ['content-type'] = 'application/json', ['cache-control'] = 'no-store', ['retry-after'] = '1' }, UNAVAILABLE)
  end
end)
